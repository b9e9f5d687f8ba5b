import { dropdown, json, longText, shortText } from '@drawbridge/piece-kit';
import { channels } from './options.js';

const CHANNEL = 'The id of a channel, as in C0123456789.';

export const channel = dropdown('Channel', { required: true, description: CHANNEL, options: channels });
export const anyChannel = dropdown('Channel', { description: `${CHANNEL} All if absent.`, options: channels });

const TIMESTAMP = { pattern: '^\\d{1,12}\\.\\d{1,9}$' } as const;

export const messageTimestamp = shortText('Message', {
  required: true,
  description: 'The timestamp ("ts") of the message, as in 1767225600.000100.',
  ...TIMESTAMP,
});

export const thread = shortText('Thread', {
  description: 'The timestamp ("ts") of the message that is answered, as in 1767225600.000100.',
  ...TIMESTAMP,
});

export const text = longText('Text', {
  required: true,
  description: "Slack's markup: *bold*, _italic_, <https://acme.example|a link>, <@U0123456789> for a person.",
  minLength: 1,
  maxLength: 40_000,
});

export const blocks = json('Blocks', {
  description: "A layout in Slack's Block Kit, shown instead of the text, which notifications still show.",
  schema: { type: 'array', items: { type: 'object' }, maxItems: 50 },
});
