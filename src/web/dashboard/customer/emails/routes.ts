import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Context } from "../../../../context.ts";
import type { PageEnvironment } from "../../../environment.ts";
import { allowFrame, messageAnswer } from "../../../message-frame.ts";
import type { DashboardDoor } from "../../door.ts";
import { EMAIL, emailPage, emailSceneOf, messageOf } from "./page.ts";
import { sendAgainPages } from "./send-again.ts";

/** `…/customers/{customerId}/emails/{emailId}`: an e-mail as it was sent, with its message in a frame. */
export function emailPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  app.get(
    EMAIL,
    door.signedIn("read", async (c, visit) => {
      const scene = await emailSceneOf(ctx, c, visit);
      allowFrame(c);
      return c.html(emailPage(scene));
    }),
  );
  app.get(
    `${EMAIL}/message`,
    door.signedIn("read", async (c, visit) => {
      const message = messageOf((await emailSceneOf(ctx, c, visit)).email);
      if (message === null) throw new HTTPException(404);
      return messageAnswer(c, message.html);
    }),
  );
  sendAgainPages(ctx, app, door);
}
