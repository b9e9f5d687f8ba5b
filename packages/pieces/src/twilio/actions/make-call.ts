import {
  action,
  checkbox,
  dropdown,
  InputError,
  longText,
  number,
  shortText,
  staticDropdown,
} from '@drawbridge/piece-kit';
import { create } from '../account.js';
import { numbers } from '../options.js';
import { to } from '../properties.js';

/** Calls a phone number: https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource */
export const makeCall = action({
  displayName: 'Make call',
  description:
    'Calls a phone number and speaks a text, or follows TwiML instructions. Returns the call with its "sid" and "status".',
  category: 'send',
  recipients: ['to'],
  props: {
    to,
    from: dropdown('From', {
      required: true,
      description: 'A number of the account, or a verified caller id.',
      minLength: 1,
      maxLength: 64,
      options: numbers('voice'),
    }),
    say: longText('Text to speak', { description: 'Instead of TwiML or a URL.', minLength: 1, maxLength: 3_500 }),
    twiml: longText('TwiML', {
      description: 'Such as <Response><Say>Hello</Say></Response>.',
      minLength: 1,
      maxLength: 4_000,
    }),
    url: shortText('URL', {
      description: 'A URL that returns the TwiML of the call.',
      pattern: '^https?://',
      maxLength: 2_000,
    }),
    timeout: number('Ring time', {
      description: 'Seconds to ring. Defaults to 60.',
      integer: true,
      minimum: 1,
      maximum: 600,
    }),
    time_limit: number('Time limit', {
      description: 'The most seconds that the call may last.',
      integer: true,
      minimum: 1,
    }),
    record: checkbox('Record', { description: 'Records the call. Many countries require the consent of both sides.' }),
    machine_detection: staticDropdown(
      'Answering machines',
      [
        { label: 'Detect', value: 'Enable' },
        { label: 'Wait for the end of their greeting', value: 'DetectMessageEnd' },
      ],
      { description: 'Finds out whether a person or a machine answers.' },
    ),
    send_digits: shortText('Digits', {
      description: 'Keys to press after the answer, such as W1234#. "w" waits half a second, "W" a second.',
      pattern: '^[0-9A-D#*wW]+$',
      maxLength: 32,
    }),
  },
  run: async (context) => {
    const { input } = context;
    const instructions = (['say', 'twiml', 'url'] as const).filter((key) => input[key] !== undefined);
    if (instructions[1]) throw new InputError(instructions[1], `cannot be combined with ${instructions[0]}`);
    return create(context, 'Calls.json', {
      ...{ To: input.to, From: input.from, Twiml: input.say ? toTwiml(input.say) : input.twiml, Url: input.url },
      ...{ Timeout: input.timeout, TimeLimit: input.time_limit, Record: input.record },
      ...{ MachineDetection: input.machine_detection, SendDigits: input.send_digits },
    });
  },
});

function toTwiml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<Response><Say>${escaped}</Say></Response>`;
}
