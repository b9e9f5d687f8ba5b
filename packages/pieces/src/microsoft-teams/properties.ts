import { dropdown, longText, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';
import { channels, chats, teams } from './options.js';

export const team = dropdown('Team', {
  required: true,
  description: 'The id: "groupId" in the link to the team.',
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  options: teams,
});

export const channel = dropdown('Channel', {
  required: true,
  description: 'The id (19:…@thread.tacv2).',
  pattern: '^19:[^/?#]+@thread\\.(tacv2|skype)$',
  options: channels,
  refreshers: ['team_id'],
});

export const chat = dropdown('Chat', {
  required: true,
  description: 'The id (19:…@thread.v2).',
  pattern: '^19:[^/?#]+$',
  options: chats,
});

export const messageId = shortText('Message', {
  required: true,
  description: 'The first message of a thread, such as 1616990032035.',
  pattern: '^[0-9]{5,20}$',
});

/** The fields of a message that sending accepts. */
export const written = {
  text: longText('Text', { required: true, description: 'The message.', minLength: 1, maxLength: 25_000 }),
  format: staticDropdown('Format', ['text', 'html'], { description: 'Defaults to text.' }),
};
export const importance = staticDropdown('Importance', ['normal', 'high', 'urgent'], {
  description: 'Defaults to normal.',
});

export const limit = itemLimit({ defaultsTo: 25, maximum: 500 });
