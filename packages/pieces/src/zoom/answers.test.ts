import { type Credential, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, runPiece } from '../../testing/run-piece.js';
import { zoom } from './index.js';

const { operations } = readDescription('zoom');
const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' };
const MEETING = { meeting_id: '85746065432' };

/** Returns a response with the fields that the fixture contains for an operation. Cutting the description fails for fields that it does not have. */
function answerOf(operation: string): JsonObject {
  const paths = (operations[operation]?.answer ?? []).filter((path) => path !== 'next_page_token');
  const answer: JsonObject = {};
  for (const path of paths) put(answer, path.split('.'));
  return answer;
}

function put(target: JsonObject, [key = '', next, ...rest]: string[]): void {
  if (next === undefined) target[key] = `the ${key}`;
  else if (next === '*') put(((target[key] ??= [{}]) as [JsonObject])[0], rest);
  else put((target[key] ??= {}) as JsonObject, [next, ...rest]);
}

const items = (operation: string, key: string): JsonObject => ({ items: answerOf(operation)[key] ?? null });

function withFiles(operation: string): JsonObject {
  const meetings = answerOf(operation)['meetings'] as JsonObject[];
  return {
    items: meetings.map(({ recording_files, ...meeting }): JsonValue => ({
      ...meeting,
      files: recording_files ?? null,
    })),
  };
}

it.each<[string, JsonObject, string, (operation: string) => JsonObject]>([
  ['create_meeting', { topic: 'Tea' }, 'POST /users/{userId}/meetings', answerOf],
  ['get_meeting', MEETING, 'GET /meetings/{meetingId}', answerOf],
  ['list_meetings', {}, 'GET /users/{userId}/meetings', (operation) => items(operation, 'meetings')],
  [
    'add_registrant',
    { ...MEETING, email: 'ann@x.example', first_name: 'Ann' },
    'POST /meetings/{meetingId}/registrants',
    answerOf,
  ],
  [
    'list_registrants',
    MEETING,
    'GET /meetings/{meetingId}/registrants',
    (operation) => items(operation, 'registrants'),
  ],
  ['list_recordings', { from: '2026-01-01' }, 'GET /users/{userId}/recordings', withFiles],
  ['list_users', {}, 'GET /users', (operation) => items(operation, 'users')],
])("returns the fields of %s that Zoom's description has", async (action, input, operation, expected) => {
  const reply = () => json({ ...answerOf(operation), unknown: true });
  const { output } = await runPiece({ piece: zoom, credential, reply }, action, input);
  expect(output).toEqual(expected(operation));
});

it.each([
  ['GET /users', 'next_page_token'],
  ['GET /users/{userId}/meetings', 'next_page_token'],
  ['GET /users/{userId}/recordings', 'next_page_token'],
  ['GET /meetings/{meetingId}/registrants', 'next_page_token'],
  ['GET /meetings/{meetingId}/recordings', 'recording_files.*.file_type'],
  ['GET /meetings/{meetingId}/recordings', 'recording_files.*.download_url'],
])('reads a field that the description of %s has: %s', (operation, field) => {
  expect(operations[operation]?.answer).toContain(field);
});

it('returns all fields of a meeting, of which each answer of Zoom lacks some', async () => {
  const all = { ...answerOf('GET /meetings/{meetingId}'), ...answerOf('POST /users/{userId}/meetings') };
  const reply = () => json(all);
  const { output } = await runPiece({ piece: zoom, credential, reply }, 'get_meeting', MEETING);
  expect(output).toEqual(all);
});
