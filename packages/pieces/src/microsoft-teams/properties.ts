import { dropdown, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { channels, chats, teams } from './options.js';

export const team = dropdown('Team', {
  required: true,
  description: 'The id of a team: "groupId" in the link to it.',
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  options: teams,
});

export const channel = dropdown('Channel', {
  required: true,
  description: 'The id of a channel, such as 19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2.',
  pattern: '^19:[^/?#]+@thread\\.(tacv2|skype)$',
  options: channels,
  refreshers: ['team_id'],
});

export const chat = dropdown('Chat', {
  required: true,
  description: 'The id of a chat, such as 19:2da4c29f6d7041eca70b638b43d45437@thread.v2.',
  pattern: '^19:[^/?#]+$',
  options: chats,
});

export const messageId = shortText('Message', {
  required: true,
  description: 'The id of the first message of a thread, such as 1616990032035.',
  pattern: '^[0-9]{5,20}$',
});

/** The fields of a message that sending accepts. */
export const written = {
  text: longText('Text', { required: true, description: 'The message.', minLength: 1, maxLength: 25_000 }),
  format: staticDropdown('Format', ['text', 'html'], { description: 'The format of the text. Defaults to text.' }),
};
export const importance = staticDropdown('Importance', ['normal', 'high', 'urgent'], {
  description: 'Defaults to normal.',
});

export const limit = number('Limit', {
  description: 'Maximum number of items. Defaults to 25.',
  integer: true,
  minimum: 1,
  maximum: 500,
});
