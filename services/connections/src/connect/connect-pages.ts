import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type AuthProp, type Piece } from '@drawbridge/piece-kit';
import { findPiece, integrationNotFound } from '@drawbridge/pieces';
import {
  type ConnectField,
  type ConnectPage,
  type ConnectPageServiceDefinition,
  type ConnectProblem,
} from '@drawbridge/proto/drawbridge/connections/v1/connect_pages';
import { type Implementation } from '@drawbridge/rpc';
import { beginAuthorization } from './begin-authorization.js';
import { finishAuthorization } from './finish-authorization.js';
import { type Parts } from '../parts.js';
import { offeredTypes } from './connect-sessions.js';
import { failSession, findSession, type FoundSession, lockSession } from './stored-session.js';
import { submitCredential } from './submit-credential.js';

/** Uses the error code that a provider returns if the user declines (RFC 6749, section 4.1.2.1), so that products handle both cases alike. */
const CANCELED = 'access_denied: The user canceled';
const LOOK_MS = 200;
const LOOKS = 25;

export const connectPages = (needs: Parts): Implementation<ConnectPageServiceDefinition> => {
  /** Returns the current connect page of a session, with the problem of the last attempt. */
  const pageNow = async (token: string, problem?: ConnectProblem): Promise<ConnectPage> =>
    toPage(await findSession(needs.pool, token), needs, problem);
  return {
    async showConnectPage({ token }) {
      let session = await findSession(needs.pool, token);
      for (let looks = 0; session.status === 'CONNECTING' && looks < LOOKS; looks++) {
        await sleep(LOOK_MS);
        session = await findSession(needs.pool, token);
      }
      return toPage(session, needs);
    },

    async submitCredential({ token, type, fields }) {
      const session = await findSession(needs.pool, token);
      const piece = requirePiece(session);
      if (!(await offeredTypes(piece, needs.apps, session)).includes(type) || type === 'OAUTH2') {
        throw invalid({ type: `${piece.name} does not support ${type} on this page` });
      }
      return pageNow(token, await submitCredential(session, { piece, type, fields }, needs));
    },

    async beginAuthorization({ token, ...browser }) {
      const session = await findSession(needs.pool, token);
      return { url: await beginAuthorization(session, requirePiece(session), browser, needs) };
    },

    async cancelConnecting({ token }) {
      const { orgId, id } = await findSession(needs.pool, token);
      const held = await lockSession(needs.pool, orgId, id);
      if (held) await failSession(needs.pool, held, CANCELED);
      return pageNow(token);
    },

    async finishAuthorization({ token, query, ...browser }) {
      const session = await findSession(needs.pool, token);
      const problem = await finishAuthorization(session, requirePiece(session), { ...browser, query }, needs);
      return pageNow(token, problem);
    },
  };
};

/** Returns the piece of a session. Throws INTEGRATION_NOT_FOUND if the operator removed a custom piece after the session was created. */
function requirePiece({ integrationName }: FoundSession): Piece {
  const piece = findPiece(integrationName);
  if (!piece) throw integrationNotFound(integrationName);
  return piece;
}

async function toPage(session: FoundSession, { apps }: Parts, problem?: ConnectProblem): Promise<ConnectPage> {
  const piece = requirePiece(session);
  const { description = '', props = {}, account = {}, shares = [], keysUrl = '' } = piece.auth ?? {};
  return {
    ...toWire(session),
    sessionId: session.id,
    integrationDisplayName: piece.displayName,
    logoUrl: piece.logoUrl ?? '',
    types: session.status === 'PENDING' ? await offeredTypes(piece, apps, session) : [],
    authDescription: description,
    shares: [...shares],
    keysUrl,
    fields: Object.entries(props).map(toField),
    account: Object.entries(account).map(([name, { displayName, description: hint }]) =>
      toField([name, { displayName, description: hint, required: true, secret: false }]),
    ),
    accountValues: session.askedAccount ?? {},
    problem,
  };
}

function toField([name, { description = '', multiline = false, ...prop }]: [string, AuthProp]): ConnectField {
  return { name, description, multiline, ...prop };
}
