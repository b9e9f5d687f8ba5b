import { type Credential, testCredential } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { zoom } from './index.js';

const description = readDescription('zoom');
const check = by(description);
const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' };
const transcript = { file_type: 'TRANSCRIPT', download_url: 'https://us06web.zoom.us/rec/download/abc?x=1' };
const FOUND = { id: 7, topic: 'Tea', start_url: 'https://zoom.us/s/secret', recording_files: [transcript] };
const setting: Setting = { piece: zoom, credential, reply: () => json(FOUND) };
const MEETING = { meeting_id: '85746065432' };

const fields = {
  ...{ start_time: '2026-01-31T09:00:00.5+01:00', duration: 30, timezone: 'Europe/Berlin', agenda: 'Talk' },
  ...{ password: 'abc', waiting_room: true, join_before_host: false, mute_upon_entry: true, auto_recording: 'cloud' },
  ...{ alternative_hosts: ['bob@x.example', 'eve@x.example'], requires_registration: true },
};
const FIELDS =
  '"duration":30,"timezone":"Europe/Berlin","agenda":"Talk","password":"abc","start_time":"2026-01-31T08:00:00Z",' +
  '"settings":{"auto_recording":"cloud","waiting_room":true,"join_before_host":false,"mute_upon_entry":true,' +
  '"alternative_hosts":"bob@x.example;eve@x.example","approval_type":0}';

/** The description contains no downloads. They have no query. */
const described = (request: Recorded): string[] =>
  request.url.startsWith('/rec/') ? [...new URL(request.url, 'https://zoom.us').searchParams.keys()] : check(request);

describe('requests', () => {
  itIsAccepted(setting, described, {
    create_meeting: [
      [{ topic: 'Tea' }, 'POST /v2/users/me/meetings {"type":1,"topic":"Tea"}'],
      [
        { topic: 'Tea', ...fields, user: 'bob@x.example' },
        `POST /v2/users/bob%40x.example/meetings {"type":2,"topic":"Tea",${FIELDS}}`,
      ],
    ],
    update_meeting: [
      [MEETING, 'PATCH /v2/meetings/85746065432 {}'],
      [{ ...MEETING, topic: 'Tea', ...fields }, `PATCH /v2/meetings/85746065432 {"topic":"Tea",${FIELDS}}`],
      [{ ...MEETING, requires_registration: false }, 'PATCH /v2/meetings/85746065432 {"settings":{"approval_type":2}}'],
    ],
    delete_meeting: [
      [MEETING, 'DELETE /v2/meetings/85746065432'],
      [{ ...MEETING, notify_registrants: true }, 'DELETE /v2/meetings/85746065432?cancel_meeting_reminder=true'],
    ],
    get_meeting: [[MEETING, 'GET /v2/meetings/85746065432']],
    list_meetings: [
      [{}, 'GET /v2/users/me/meetings?page_size=100'],
      [{ type: 'upcoming', user: 'u1', limit: 1_000 }, 'GET /v2/users/u1/meetings?type=upcoming&page_size=300'],
    ],
    add_registrant: [
      [
        { ...MEETING, email: 'ann@x.example', first_name: 'Ann' },
        'POST /v2/meetings/85746065432/registrants {"email":"ann@x.example","first_name":"Ann"}',
      ],
      [
        { ...MEETING, email: 'ann@x.example', first_name: 'Ann', last_name: 'Lee', org: 'X', job_title: 'CEO' },
        'POST /v2/meetings/85746065432/registrants {"email":"ann@x.example","first_name":"Ann","last_name":"Lee",' +
          '"org":"X","job_title":"CEO"}',
      ],
    ],
    list_registrants: [
      [MEETING, 'GET /v2/meetings/85746065432/registrants?page_size=100'],
      [
        { ...MEETING, status: 'pending', limit: 5 },
        'GET /v2/meetings/85746065432/registrants?status=pending&page_size=5',
      ],
    ],
    list_recordings: [
      [{ from: '2026-01-01' }, 'GET /v2/users/me/recordings?from=2026-01-01&page_size=100'],
      [
        { from: '2026-01-01', to: '2026-01-31', user: 'u1', limit: 5 },
        'GET /v2/users/u1/recordings?from=2026-01-01&to=2026-01-31&page_size=5',
      ],
    ],
    get_transcript: [
      [MEETING, 'GET /v2/meetings/85746065432/recordings', 'GET /rec/download/abc'],
      [
        { meeting_id: '/ajXp112QmuoKj4854875==' },
        'GET /v2/meetings/%252FajXp112QmuoKj4854875%253D%253D/recordings',
        'GET /rec/download/abc',
      ],
    ],
    list_users: [
      [{}, 'GET /v2/users?page_size=100'],
      [{ status: 'pending', limit: 5 }, 'GET /v2/users?status=pending&page_size=5'],
    ],
  });
});

it('downloads a transcript with the token at one origin only', async () => {
  const reply = ({ url }: Recorded): Reply => (url.startsWith('/rec/') ? { body: 'WEBVTT' } : json(FOUND));
  const { output, urls, received } = await runPiece({ ...setting, reply }, 'get_transcript', MEETING);
  expect(output).toEqual({ transcript: 'WEBVTT' });
  expect(urls[1]).toBe('https://zoom.us/rec/download/abc');
  expect(received[1]?.headers.authorization).toBe('Bearer canary');
});

it.each([
  [[]],
  [[{ file_type: 'MP4', download_url: 'https://zoom.us/rec/download/abc' }]],
  [[{ file_type: 'TRANSCRIPT', download_url: 'https://evilzoom.us/rec/download/abc' }]],
  [[{ file_type: 'TRANSCRIPT', download_url: 'https://zoom.us/oauth/token' }]],
  [[{ file_type: 'TRANSCRIPT', download_url: 'no URL' }]],
])('has no transcript in %j', async (recording_files) => {
  const reply = () => json({ recording_files });
  await expect(runPiece({ ...setting, reply }, 'get_transcript', MEETING)).rejects.toMatchObject({
    ...{ name: 'InputError', property: 'meeting_id' },
  });
});

it('does not return the link that signs in the host', async () => {
  const { output } = await runPiece(setting, 'get_meeting', MEETING);
  expect(output).toEqual({ id: 7, topic: 'Tea' });
});

it('returns the files of recordings without their download links', async () => {
  const meeting = { uuid: 'u', topic: 'Tea', recording_files: [{ ...transcript, id: 'f1', status: 'completed' }] };
  const reply = () => json({ meetings: [meeting] });
  const { output } = await runPiece({ ...setting, reply }, 'list_recordings', { from: '2026-01-01' });
  const files = [{ id: 'f1', file_type: 'TRANSCRIPT', status: 'completed' }];
  expect(output).toEqual({ items: [{ uuid: 'u', topic: 'Tea', files }] });
});

it.each([
  ['list_meetings', {}, 'meetings'],
  ['list_registrants', MEETING, 'registrants'],
  ['list_recordings', { from: '2026-01-01' }, 'meetings'],
  ['list_users', {}, 'users'],
])('reads the pages of %s', async (action, input, items) => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('next_page_token=t2')
      ? json({ [items]: [{ id: '2' }], next_page_token: '' })
      : json({ [items]: [{ id: '1' }], next_page_token: 't2' });
  const { output, received } = await runPiece({ ...setting, reply }, action, input);
  expect((output['items'] as { id: string }[]).map(({ id }) => id)).toEqual(['1', '2']);
  expect(received.flatMap(described)).toEqual([]);
});

it('tests a credential by its user', async () => {
  const { received, send, close } = await startThirdParty(() => json({}));
  await testCredential(zoom, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual(['GET /v2/users/me']);
  expect(checkResponse(description, 'GET /users/{userId}', { id: 'u', account_id: 'a', email: 'e' })).toEqual([]);
});

it('reports the first detail of a failure', async () => {
  const reply = () =>
    json({ code: 300, message: 'Validation Failed.', errors: [{ field: 'x', message: 'Bad x' }] }, 400);
  await expect(runPiece({ ...setting, reply }, 'get_meeting', MEETING)).rejects.toMatchObject({
    ...{ name: 'ProviderError', status: 400, code: '300', message: 'Bad x' },
  });
});
