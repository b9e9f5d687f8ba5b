import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';

/** Returns the short form of a member: https://learn.microsoft.com/graph/api/resources/aaduserconversationmember */
export const toMember = (member: JsonValue): JsonObject =>
  pickFields(member, same('id', 'displayName', 'email', 'userId', 'roles'));
