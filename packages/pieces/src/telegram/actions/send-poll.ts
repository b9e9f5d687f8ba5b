import { action, checkbox, json, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { chat, DELIVERY, delivery } from '../properties.js';

/** Sends a poll or a quiz to a user, group or channel: https://core.telegram.org/bots/api#sendpoll */
export const sendPoll = action({
  displayName: 'Send poll',
  description: 'Sends a poll or a quiz to a user, group or channel, and returns the message.',
  category: 'send',
  recipients: ['chat_id'],
  props: {
    chat_id: chat,
    question: shortText('Question', { required: true, description: 'The question.', minLength: 1, maxLength: 300 }),
    options: json('Options', {
      required: true,
      description: '2 to 10, each of at most 100 characters: ["Tea", "Coffee"].',
      schema: {
        type: 'array',
        minItems: 2,
        maxItems: 10,
        items: { type: 'string', minLength: 1, maxLength: 100 },
      },
    }),
    is_anonymous: checkbox('Anonymous', { description: 'Hides who voted. Defaults to true.' }),
    type: staticDropdown('Type', ['regular', 'quiz'], {
      description: 'A quiz has one correct answer. Defaults to regular.',
    }),
    allows_multiple_answers: checkbox('Several answers', { description: 'Each user can choose several answers.' }),
    correct_option_id: number('Correct answer', {
      description: 'Position of the correct answer of a quiz, from 0.',
      integer: true,
      minimum: 0,
      maximum: 9,
    }),
    open_period: number('Open seconds', {
      description: 'Seconds until the poll closes.',
      integer: true,
      minimum: 5,
      maximum: 600,
    }),
    ...delivery,
  },
  call: {
    method: 'POST',
    path: '/sendPoll',
    body: [
      ...(['chat_id', 'question', 'options', 'is_anonymous', 'type', 'allows_multiple_answers'] as const),
      ...(['correct_option_id', 'open_period'] as const),
      ...DELIVERY,
    ],
    result: 'result',
  },
});
