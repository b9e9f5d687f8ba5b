import { textAt, type Http } from '@drawbridge/piece-kit';
import { headersOf } from './message.js';
import { type Mail } from './mime.js';
import { messageRequest } from './requests.js';

/** The headers and the thread that make an email a reply. */
export interface ReplyTo {
  threadId: string | undefined;
  headers: Pick<Mail, 'inReplyTo' | 'references' | 'subject'>;
}

/** Matches the id of a message, so that no other text becomes part of a header of the reply. */
const MESSAGE_ID = /<[!-;=?-~]{1,900}>/g;

/** Maximum numbers of ids in a reply. The oldest id and the newest ids are sufficient to find the thread. */
const OLDEST = 1;
const NEWEST = 20;

/** Reads the thread, the ids and the subject, which a reply must contain: https://developers.google.com/workspace/gmail/api/guides/threads */
export async function readReply(http: Http, messageId: string): Promise<ReplyTo> {
  const message = await http.json(messageRequest(messageId, 'metadata'));
  const headers = headersOf(message);
  const ids = (name: string): string[] => headers.get(name)?.match(MESSAGE_ID) ?? [];
  const [inReplyTo] = ids('message-id');
  const earlier = ids('references').length > 0 ? ids('references') : ids('in-reply-to');
  const references = [...earlier.filter((id) => id !== inReplyTo), ...(inReplyTo ? [inReplyTo] : [])];
  const subject = headers.get('subject') ?? '';
  return {
    threadId: textAt(message, 'threadId'),
    headers: {
      inReplyTo,
      references:
        references.length > OLDEST + NEWEST
          ? [...references.slice(0, OLDEST), ...references.slice(-NEWEST)]
          : references,
      subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    },
  };
}
