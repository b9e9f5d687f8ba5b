import { type Egress } from '@drawbridge/egress';
import { nothingToRecord } from '@drawbridge/rpc';
import { type Piece } from '@drawbridge/piece-kit';
import { type ConnectProblem } from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { type Pool } from 'pg';
import { endWith } from './end-with.js';
import { letGo, takeTurn } from './end-session.js';
import { type FoundSession } from './find-session.js';
import { type StoreNeeds } from './store-connection.js';
import { tryCredential } from './try-credential.js';
import { typedCredential } from './typed-credential.js';

interface Typed {
  piece: Piece;
  type: string;
  fields: Record<string, string>;
}

/** Tests the typed credential and ends the session with it. Returns the problem; undefined also if another request has ended the session. */
export async function submitCredential(
  session: FoundSession,
  { piece, type, fields }: Typed,
  needs: StoreNeeds & { pool: Pool; egress: Egress },
): Promise<ConnectProblem | undefined> {
  const credential = typedCredential(piece, type, fields);
  const { orgId, id } = session;
  const held = await takeTurn(needs.pool, orgId, id);
  if (!held) return void nothingToRecord();
  const problem = await tryCredential(piece, credential, needs.egress.sendFor(orgId)).catch(async (error: unknown) => {
    await letGo(needs.pool, held);
    throw error;
  });
  if (problem) {
    nothingToRecord();
    await letGo(needs.pool, held);
    return problem;
  }
  const { type: _type, ...stored } = credential;
  await endWith(session, held, { type, plaintext: JSON.stringify(stored) }, needs);
  return undefined;
}
