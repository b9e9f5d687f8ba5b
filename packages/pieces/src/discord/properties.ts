import { checkbox, dropdown, file, json, longText, shortText, staticMultiSelect } from '@drawbridge/piece-kit';
import { channels, guilds, members, roles, WITH_MESSAGES } from './options.js';
import { SNOWFLAKE } from './snowflake.js';

const id = { pattern: SNOWFLAKE, maxLength: 20 } as const;

export const guild = dropdown('Server', {
  required: true,
  description: 'The id of a server, such as 81384788765712384.',
  options: guilds,
  ...id,
});

export const guildOfForm = dropdown('Server', {
  description: 'The server whose channels the form lists. It has no other effect.',
  options: guilds,
  ...id,
});

export const channel = dropdown('Channel', {
  required: true,
  description: 'The id of a channel or a thread, such as 155101607195836416.',
  refreshers: ['guild_id'],
  options: channels(WITH_MESSAGES),
  ...id,
});

export const message = shortText('Message', {
  required: true,
  description: 'The id of a message, such as 334385199974967042.',
  ...id,
});

const USER = 'The id of a user, such as 53908232506183680.';

export const user = dropdown('Member', {
  required: true,
  description: USER,
  refreshers: ['guild_id'],
  options: members,
  ...id,
});

export const role = dropdown('Role', {
  required: true,
  description: 'The id of a role, such as 41771983423143936. It must be below the highest role of the bot.',
  refreshers: ['guild_id'],
  options: roles,
  ...id,
});

export const content = longText('Text', {
  required: true,
  description:
    'Markdown. <@53908232506183680> mentions a user, <@&41771983423143936> a role, <#155101607195836416> a channel.',
  minLength: 1,
  maxLength: 2000,
});

export const embeds = json('Embeds', {
  description:
    'Boxes below the text: [{"title": "Build 7", "description": "Passed", "url": "https://acme.example/7", "color": 5763719}].',
  schema: { type: 'array', items: { type: 'object' }, maxItems: 10 },
});

export const mentions = staticMultiSelect('Notify', ['users', 'roles', 'everyone'], {
  description: 'Which mentions in the text notify someone. An empty list notifies no one. Defaults to all.',
});

/** The properties of a new message in channels and in direct messages. */
export const newMessageProps = {
  content,
  embeds,
  file: file('File', { description: 'A file to attach.' }),
  mentions,
  suppress_embeds: checkbox('No previews', { description: 'Shows no previews of the links in the text.' }),
  silent: checkbox('Silent', { description: 'Sends the message without a push or desktop notification.' }),
};

export const slowmode = {
  description: 'Seconds that a user must wait between two messages, at most 21600 (6 hours).',
  integer: true,
  minimum: 0,
  maximum: 21_600,
} as const;

export const bots = (what: string) =>
  checkbox('Include bots', { description: `Includes ${what}. Without it, only those of people are events.` });
