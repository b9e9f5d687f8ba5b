import { checkbox, dateTime, json, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { itemLimit } from '../item-limit.js';

export const meetingId = shortText('Meeting', {
  required: true,
  description: 'The number of the meeting.',
  pattern: '^[0-9]{6,20}$',
});

export const pastMeeting = shortText('Meeting', {
  required: true,
  description: 'Number or UUID. A number means the last occurrence.',
  minLength: 6,
  maxLength: 100,
});

export const user = shortText('User', {
  description: 'An id or email address. Defaults to the user of the connection.',
  pattern: '^[^/?#\\s]+$',
  maxLength: 254,
});

export const limit = itemLimit({ defaultsTo: 100, maximum: 1_000 });

const topic = { description: 'The title of the meeting.', minLength: 1, maxLength: 200 } as const;
export const topicRequired = shortText('Topic', { ...topic, required: true });
export const newTopic = shortText('Topic', topic);

/** The fields of a meeting that creating and updating accept. */
export const meetingFields = {
  start_time: dateTime('Start', { description: 'Without it, an instant meeting.' }),
  duration: number('Duration', {
    description: 'In minutes. Defaults to 60.',
    integer: true,
    minimum: 1,
    maximum: 1_440,
  }),
  timezone: shortText('Time zone', { description: 'For the invitation, such as Europe/Berlin.', maxLength: 100 }),
  agenda: longText('Agenda', { description: 'The description of the meeting.', maxLength: 2_000 }),
  password: shortText('Passcode', { description: 'Up to 10 characters.', minLength: 1, maxLength: 10 }),
  waiting_room: checkbox('Waiting room', { description: 'The host admits each participant.' }),
  join_before_host: checkbox('Join before host', { description: 'Participants can join without the host.' }),
  mute_upon_entry: checkbox('Mute', { description: 'Mutes participants who join.' }),
  auto_recording: staticDropdown('Recording', ['local', 'cloud', 'none'], {
    description: 'Where it is recorded from its start.',
  }),
  alternative_hosts: json('Alternative hosts', {
    description: 'Users of the account, notified by email: ["bob@example.com"].',
    schema: {
      type: 'array',
      maxItems: 20,
      items: { type: 'string', pattern: '^[^\\s@;,]+@[^\\s@;,]+$', maxLength: 254 },
    },
  }),
  requires_registration: checkbox('Registration', {
    description: 'For "Add registrant".',
  }),
};
