import { type Answer } from './api.js';

/** Expects an error with exactly `{error, code, details}`. */
export function expectError({ status, body }: Answer, wantedStatus: number, code: string): void {
  expect({ status, code: body?.code }).toEqual({ status: wantedStatus, code });
  expect(body).toEqual({ error: expect.any(String), code, details: expect.any(Object) });
  expect(body.error).not.toBe('');
}

/** Expects a VALIDATION_ERROR for exactly these paths. */
export function expectInvalid(answer: Answer, ...paths: string[]): void {
  expectError(answer, 400, 'VALIDATION_ERROR');
  expect(Object.keys(answer.body.details.fields).sort()).toEqual(paths.sort());
  for (const { message } of Object.values<{ message: string }>(answer.body.details.fields))
    expect(message).not.toBe('');
}

export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A well-formed id that does not exist. */
export const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
