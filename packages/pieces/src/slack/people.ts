import { member, textAt, type JsonValue } from '@drawbridge/piece-kit';

/** Returns whether a user is a person. Slack does not mark Slackbot as a bot. */
export const isHuman = (user: JsonValue): boolean =>
  member(user, 'is_bot') !== true && textAt(user, 'id') !== 'USLACKBOT';

export const isActive = (user: JsonValue): boolean => member(user, 'deleted') !== true;
