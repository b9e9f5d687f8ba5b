import { expandPath, type Http, type JsonObject } from '@drawbridge/piece-kit';
import { ticketIn } from './ticket.js';

interface Comment {
  body: string;
  isPublic: boolean;
  uploads?: readonly string[];
  status?: string;
}

/** Adds a comment by updating the ticket: https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/ */
export async function addComment(http: Http, ticketId: number, comment: Comment): Promise<JsonObject> {
  const { body, isPublic, uploads, status } = comment;
  const ticket = {
    comment: { body, public: isPublic, ...(uploads && { uploads: [...uploads] }) },
    ...(status && { status }),
  };
  const path = expandPath('/api/v2/tickets/{ticketId}', { ticketId });
  return ticketIn(await http.json({ method: 'PUT', path, json: { ticket } }));
}
