// A process that joins, says so in a line of JSON, and leaves when its standard input ends.
import { joinEmbeddedDatabase } from "../../src/embedded-database.ts";

const [dataDir = "", uid, gid] = process.argv.slice(2);
if (uid && gid) {
  process.setgroups!([Number(gid)]);
  process.setgid!(Number(gid));
  process.setuid!(Number(uid));
}
try {
  const member = await joinEmbeddedDatabase({ dataDir, log: (line) => console.error(line) });
  console.log(JSON.stringify({ connection: member.connection, created: member.created, pid: member.pid }));
  process.stdin.resume().on("end", () => void member.leave());
} catch (error) {
  const { name, message } = error as Error;
  console.log(JSON.stringify({ refusal: `${name}: ${message}` }));
}
