import { expandPath, type JsonObject, type JsonValue, listAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

const CONTACT = {
  ...same('id', 'role', 'external_id', 'email', 'phone', 'name', 'owner_id', 'custom_attributes'),
  ...same('created_at', 'updated_at', 'signed_up_at', 'last_seen_at', 'unsubscribed_from_emails'),
};
const CONVERSATION = {
  ...same('id', 'title', 'state', 'open', 'read', 'priority', 'created_at', 'updated_at', 'admin_assignee_id'),
  ...same('team_assignee_id', 'custom_attributes'),
  ...{ subject: 'source.subject', body: 'source.body', author: 'source.author.email', authorId: 'source.author.id' },
  ...{ contacts: 'contacts.contacts.*.id', tags: 'tags.tags.*.name' },
};
const PART = { ...same('id', 'part_type', 'body', 'created_at'), author: 'author.name', authorType: 'author.type' };

export const toContact = (contact: JsonValue): JsonObject => pickFields(contact, CONTACT);
export const toConversation = (conversation: JsonValue): JsonObject => pickFields(conversation, CONVERSATION);

/** Returns the messages, notes and changes of a conversation. */
export const partsOf = (conversation: JsonValue): JsonObject[] =>
  listAt(conversation, 'conversation_parts', 'conversation_parts').map((part) => pickFields(part, PART));

export const conversationPath = (conversation: string, part = ''): string =>
  `${expandPath('/conversations/{conversation}', { conversation })}${part}`;

export const contactPath = (contact: string, part = ''): string =>
  `${expandPath('/contacts/{contact}', { contact })}${part}`;
