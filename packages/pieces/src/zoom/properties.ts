import { checkbox, dateTime, json, longText, number, shortText, staticDropdown } from '@drawbridge/piece-kit';

export const meetingId = shortText('Meeting', {
  required: true,
  description: 'The number of a meeting, such as 85746065432.',
  pattern: '^[0-9]{6,20}$',
});

export const pastMeeting = shortText('Meeting', {
  required: true,
  description: 'The number or the UUID of a meeting. A number means its last occurrence.',
  minLength: 6,
  maxLength: 100,
});

export const user = shortText('User', {
  description: 'The id or email address of a user. Absent: the user of the connection.',
  pattern: '^[^/?#\\s]+$',
  maxLength: 254,
});

export const limit = number('Limit', {
  description: 'Maximum number of items. Defaults to 100.',
  integer: true,
  minimum: 1,
  maximum: 1_000,
});

const topic = { description: 'The title of the meeting.', minLength: 1, maxLength: 200 } as const;
export const topicRequired = shortText('Topic', { ...topic, required: true });
export const newTopic = shortText('Topic', topic);

/** The fields of a meeting that creating and updating accept. */
export const meetingFields = {
  start_time: dateTime('Start', { description: 'When it starts. Absent: an instant meeting.' }),
  duration: number('Duration', {
    description: 'In minutes. Defaults to 60.',
    integer: true,
    minimum: 1,
    maximum: 1_440,
  }),
  timezone: shortText('Time zone', { description: 'Such as Europe/Berlin, for the invitation.', maxLength: 100 }),
  agenda: longText('Agenda', { description: 'The description of the meeting.', maxLength: 2_000 }),
  password: shortText('Passcode', { description: 'Up to 10 characters.', minLength: 1, maxLength: 10 }),
  waiting_room: checkbox('Waiting room', { description: 'The host admits each participant.' }),
  join_before_host: checkbox('Join before host', { description: 'Participants can join without the host.' }),
  mute_upon_entry: checkbox('Mute', { description: 'Mutes participants who join.' }),
  auto_recording: staticDropdown('Recording', ['local', 'cloud', 'none'], {
    description: 'Where it is recorded from its start.',
  }),
  alternative_hosts: json('Alternative hosts', {
    description: 'Email addresses of users of the account: ["bob@example.com"]. Zoom sends each of them an email.',
    schema: {
      type: 'array',
      maxItems: 20,
      items: { type: 'string', pattern: '^[^\\s@;,]+@[^\\s@;,]+$', maxLength: 254 },
    },
  }),
  requires_registration: checkbox('Registration', {
    description: 'Participants must register. Needed for "Add registrant".',
  }),
};
