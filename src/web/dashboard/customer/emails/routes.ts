import { HTTPException } from "hono/http-exception";
import { allowFrame, messageAnswer } from "../../../message-frame.ts";
import { together, type Pages } from "../../form-action.ts";
import { EMAIL, emailPage, emailPageDataOf, messageOf } from "./page.ts";
import { sendAgainPages } from "./send-again.ts";

/** `…/customers/{customerId}/emails/{emailId}`: an e-mail as it was sent, with its message in a frame. */
const onePages: Pages = (_, app, door) => {
  app.get(
    EMAIL,
    door.signedIn("read", async (c, visit) => {
      const scene = await emailPageDataOf(c, visit);
      allowFrame(c);
      return c.html(emailPage(scene));
    }),
  );
  app.get(
    `${EMAIL}/message`,
    door.signedIn("read", async (c, visit) => {
      const message = messageOf((await emailPageDataOf(c, visit)).email);
      if (message === null) throw new HTTPException(404);
      return messageAnswer(c, message.html);
    }),
  );
};

export const emailPages = together(onePages, sendAgainPages);
