import { listAt, textAt, trigger, type TriggerEvent } from '@drawbridge/piece-kit';
import { arrived, pollHistory } from '../history.js';
import { inLabel } from '../properties.js';
import { MESSAGE } from './sample.js';

const { id, threadId, from, to, subject, date, attachments } = MESSAGE;

/**
 * Runs for each attachment of an email that arrives in the inbox, or with another label:
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list
 */
export const newAttachment = trigger({
  kind: 'polling',
  displayName: 'New attachment',
  description: 'Runs for each attachment of an email that arrives in the inbox, or with another label.',
  props: { label: inLabel },
  sample: { messageId: id, threadId, from, to, subject, date, attachment: attachments[0]! },
  poll: pollHistory({ types: ['messageAdded'], messages: arrived, split: toAttachments }),
});

function toAttachments({ id: messageId, data }: TriggerEvent): TriggerEvent[] {
  return listAt(data, 'attachments').map((attachment) => ({
    id: `${messageId}/${textAt(attachment, 'id')}`,
    data: {
      messageId,
      threadId: data['threadId'] ?? null,
      from: data['from'] ?? null,
      to: data['to'] ?? [],
      subject: data['subject'] ?? '',
      date: data['date'] ?? null,
      attachment,
    },
  }));
}
