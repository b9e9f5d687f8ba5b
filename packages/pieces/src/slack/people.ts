import { member, textAt, type JsonValue } from '@drawbridge/piece-kit';

/** Slackbot is a bot that Slack does not mark as one. */
export const isHuman = (user: JsonValue): boolean =>
  member(user, 'is_bot') !== true && textAt(user, 'id') !== 'USLACKBOT';

export const isActive = (user: JsonValue): boolean => member(user, 'deleted') !== true;
