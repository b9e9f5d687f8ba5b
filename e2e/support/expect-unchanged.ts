import { type FakeProvider } from '@drawbridge/testkit';
import { type Api } from './api.js';
import { stateOf } from './state-of.js';

/** What is refused must have changed nothing that its organization is shown, and asked no provider. */
export async function expectUnchanged(
  { owners, github }: { owners: Api[]; github: FakeProvider },
  ask: () => Promise<void>,
): Promise<void> {
  const states = (): Promise<unknown[]> => Promise.all(owners.map(stateOf));
  const [before, requests] = [await states(), github.requests.length];
  await ask();
  expect(await states()).toEqual(before);
  expect(github.requests).toHaveLength(requests);
}

/** `403 SCOPE_DENIED` */
export const shortOf = ({ status, body }: { status: number; body: { code?: string } | undefined }): string =>
  `${status} ${body?.code ?? ''}`.trim();
