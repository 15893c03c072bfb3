import { examineInstallation, type Installation } from "../actions/doctor/doctor.ts";
import { ConfigError } from "../config.ts";
import type { OpenContext } from "../context.ts";
import type { Check } from "../actions/doctor/check.ts";
import { counted } from "../domain/words.ts";
import { CommandError, type Command, type Output, type Wiring } from "./command.ts";
import { openWith, readServersConfig } from "./database.ts";
import { table } from "./table.ts";

const FAULTY = 1;

function present(checks: readonly Check[]): Output {
  const count = (status: Check["status"]) => checks.filter((each) => each.status === status).length;
  const [faults, warnings] = [count("fault"), count("warning")];
  const rows = checks.flatMap(({ name, status, says, advice }) => [
    [status, name, says],
    ...(advice === null ? [] : [["", "", `→ ${advice}`]]),
  ]);
  const total = `${counted(faults, "fault")}, ${counted(warnings, "warning")}.`;
  return {
    text: `${table(["status", "check", "result"], rows, "")}\n${total}`,
    json: { ok: faults === 0, faults, warnings, checks },
  };
}

/**
 * Opens the database, or keeps the error for the report.
 * @throws ConfigError for a wrong setting, CommandError if there is no database
 */
async function openInstallation(wiring: Wiring): Promise<Installation & { opened: OpenContext | null }> {
  const { config, server } = await readServersConfig(wiring);
  try {
    const ctx = await openWith(wiring, config);
    return { config, server, ctx, opened: ctx };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof CommandError) throw error;
    return { config, server, error, opened: null };
  }
}

export const doctor: Command = {
  usage: "doctor",
  summary: "checks the installation: database, clock, disk, SMTP, address, provider, secrets, tax ids",
  group: "Check and repair",
  options: {},
  example: "doctor",
  exits: { 0: "no check finds a fault", 1: "a check finds a fault, or the checks can't run" },
  async run(wiring) {
    const installation = await openInstallation(wiring);
    try {
      const checks = await examineInstallation(installation);
      wiring.print(present(checks));
      return checks.some(({ status }) => status === "fault") ? FAULTY : 0;
    } finally {
      await installation.opened?.close();
    }
  },
};
