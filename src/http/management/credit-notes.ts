import { Refusal } from "../../domain/refusal.ts";
import { readCreditNoteDocument } from "../../actions/invoice/credit-note-document.ts";
import { creditNoteUrl } from "../../actions/links.ts";
import {
  CREDIT_NOTE_ETAG,
  CreditNoteResource,
  ListCreditNotesQuery,
  presentCreditNote,
} from "../../resources/credit-note.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { creditNotes, listCreditNotes } from "../../store/credit-notes.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import { pdfAnswer } from "../pdf-answer.ts";

export const creditNoteEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/credit-notes",
    operationId: "listCreditNotes",
    summary: "List credit notes, newest first",
    query: ListCreditNotesQuery,
    responses: { 200: pageOf(CreditNoteResource) },
    async handle(ctx, { call, query }) {
      const rows = await listCreditNotes(ctx.db.stale, call.organizationId, query);
      return answer(
        200,
        presentPage(rows, query.limit, (note) => presentCreditNote(note, creditNoteUrl(ctx, note))),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/credit-notes/{creditNoteId}",
    operationId: "getCreditNote",
    summary: "Read a credit note",
    params: { creditNoteId: "crn" },
    responses: { 200: CreditNoteResource },
    async handle(ctx, { call, params }) {
      const note = await creditNotes.find(ctx.db.read, call.organizationId, params.creditNoteId);
      if (!note) throw new Refusal("not_found");
      return answer(200, presentCreditNote(note, creditNoteUrl(ctx, note)), { ETag: CREDIT_NOTE_ETAG });
    },
  }),
  endpoint({
    method: "GET",
    path: "/credit-notes/{creditNoteId}/pdf",
    operationId: "getCreditNotePdf",
    summary: "Read a credit note as a PDF",
    params: { creditNoteId: "crn" },
    responses: { 200: null },
    media: "application/pdf",
    async handle(ctx, { call, params }) {
      const found = await readCreditNoteDocument(ctx, call.organizationId, params.creditNoteId);
      if (!found) throw new Refusal("not_found");
      return pdfAnswer(found);
    },
  }),
];
