import { HTTPException } from "hono/http-exception";
import { allowFrame, messageAnswer } from "../../../message-frame.ts";
import { together, type Pages } from "../../form-action.ts";
import { EMAIL, emailPage, emailSceneOf, messageOf } from "./page.ts";
import { sendAgainPages } from "./send-again.ts";

/** `…/customers/{customerId}/emails/{emailId}`: an e-mail as it was sent, with its message in a frame. */
const onePages: Pages = (_, app, door) => {
  app.get(
    EMAIL,
    door.signedIn("read", async (c, visit) => {
      const scene = await emailSceneOf(c, visit);
      allowFrame(c);
      return c.html(emailPage(scene));
    }),
  );
  app.get(
    `${EMAIL}/message`,
    door.signedIn("read", async (c, visit) => {
      const message = messageOf((await emailSceneOf(c, visit)).email);
      if (message === null) throw new HTTPException(404);
      return messageAnswer(c, message.html);
    }),
  );
};

export const emailPages = together(onePages, sendAgainPages);
