import { action, checkbox, number, shortText } from '@drawbridge/piece-kit';

/** Responds to the press of a button below a message: https://core.telegram.org/bots/api#answercallbackquery */
export const answerCallback = action({
  displayName: 'Answer callback',
  description:
    'Answers the press of a button below a message with an optional short text, so that the app stops waiting.',
  category: 'send',
  recipients: ['callback_query_id'],
  props: {
    callback_query_id: shortText('Callback', {
      required: true,
      description: 'From the trigger "Button pressed".',
      minLength: 1,
      maxLength: 64,
    }),
    text: shortText('Text', { description: 'Shown to the user at the top of the chat.', maxLength: 200 }),
    show_alert: checkbox('Alert', { description: 'Shows the text as an alert that the user must close.' }),
    cache_time: number('Cache seconds', {
      description: 'Seconds for which the app may repeat this answer itself.',
      integer: true,
      minimum: 0,
      maximum: 86_400,
    }),
  },
  call: {
    method: 'POST',
    path: '/answerCallbackQuery',
    body: ['callback_query_id', 'text', 'show_alert', 'cache_time'],
  },
});
