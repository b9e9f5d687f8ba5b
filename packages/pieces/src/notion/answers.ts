import { type JsonObject, type JsonValue, member, textAt } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';
import { toPlainText } from './rich-text.js';

/** Returns the short form of a comment: https://developers.notion.com/reference/comment-object */
export function toComment(comment: JsonValue): JsonObject {
  const fields = { ...same('id', 'discussion_id', 'created_time', 'last_edited_time'), created_by: 'created_by.id' };
  return { ...pickFields(comment, fields), text: toPlainText(member(comment, 'rich_text')) };
}

/** Returns the fields of a block that the output contains. A block without text has an empty string: https://developers.notion.com/reference/block */
export function toShortBlock(block: JsonValue): JsonObject {
  const details = member(block, textAt(block, 'type') ?? '') ?? {};
  return {
    ...pickFields(block, same('id', 'type', 'has_children')),
    text: toPlainText(member(details, 'rich_text')) || (textAt(details, 'title') ?? ''),
    ...pickFields(details, { ...same('checked', 'language'), url: 'url', file_url: 'file.url', link: 'external.url' }),
  };
}
