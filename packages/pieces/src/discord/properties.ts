import { checkbox, dropdown, file, json, longText, shortText, staticMultiSelect } from '@drawbridge/piece-kit';
import { channels, guilds, members, roles, WITH_MESSAGES } from './options.js';
import { SNOWFLAKE } from './snowflake.js';

const id = { pattern: SNOWFLAKE, maxLength: 20 } as const;

export const guild = dropdown('Server', {
  required: true,
  description: 'The id of a server.',
  options: guilds,
  ...id,
});

export const guildOfForm = dropdown('Server', {
  description: 'Only filters the options of other fields.',
  options: guilds,
  ...id,
});

export const channel = dropdown('Channel', {
  required: true,
  description: 'The id of a channel or thread.',
  refreshers: ['guild_id'],
  options: channels(WITH_MESSAGES),
  ...id,
});

export const message = shortText('Message', {
  required: true,
  description: 'The id of a message.',
  ...id,
});

const USER = 'The id of a user.';

export const user = dropdown('Member', {
  required: true,
  description: USER,
  refreshers: ['guild_id'],
  options: members,
  ...id,
});

export const role = dropdown('Role', {
  required: true,
  description: 'A role below the highest role of the bot.',
  refreshers: ['guild_id'],
  options: roles,
  ...id,
});

export const content = longText('Text', {
  required: true,
  description: 'Markdown. <@1> mentions user 1, <@&2> role 2, <#3> channel 3.',
  minLength: 1,
  maxLength: 2000,
});

export const embeds = json('Embeds', {
  description: 'Boxes below the text: [{"title": "Build 7", "description": "Passed", "color": 5763719}].',
  schema: { type: 'array', items: { type: 'object' }, maxItems: 10 },
});

export const mentions = staticMultiSelect('Notify', ['users', 'roles', 'everyone'], {
  description: 'Mentions in the text that notify. An empty list notifies no one. Defaults to all.',
});

/** The properties of a new message, in a channel or a direct message. */
export const newMessageProps = {
  content,
  embeds,
  file: file('File', { description: 'A file to attach.' }),
  mentions,
  suppress_embeds: checkbox('No previews', { description: 'Shows no link previews.' }),
  silent: checkbox('Silent', { description: 'Sends without a notification.' }),
};

export const slowmode = {
  description: 'Seconds between two messages of a user, at most 21600.',
  integer: true,
  minimum: 0,
  maximum: 21_600,
} as const;

export const bots = (what: string) =>
  checkbox('Include bots', { description: `Includes ${what}. Without it, only those of people are events.` });
