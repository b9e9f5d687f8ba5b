import { makeVisible } from '@drawbridge/contracts';
import { type Authorization } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type ConsentIntegration } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type VNode } from 'preact';
import { type AuthorizationRequest } from '../../mcp/oauth/authorization-request.js';
import { Form, Notice } from '../kit/parts.js';
import { type Words } from '../words/en.js';
import { ConsentTools } from './consent-tools.js';

interface Props {
  title: string;
  wanted: Pick<AuthorizationRequest, 'client'>;
  authorization: Pick<Authorization, 'serverName'>;
  /** The host that the person is redirected to. */
  place: { host: string; isLocal: boolean };
  scopes: string[];
  /** The name under which the person may allow access; undefined if they may not. */
  you?: string;
  refusal: string;
  /** Absent for an unknown person, or one who may not allow access. A stranger must not learn what a server offers. */
  integrations?: ConsentIntegration[];
  /** Whether this card contains the buttons for the decision. */
  isDecided: boolean;
  action: string;
  /** A hash of the content, sent back with the decision. */
  seen: string;
  /** The content has changed since the person saw it. */
  isChanged: boolean;
  words: Words;
}

/**
 * Shows which client asks for which access, where the result is sent, and the decision. Everything that a client sent is marked as unverified text.
 */
export function ConsentBody({
  title,
  wanted,
  authorization,
  place,
  scopes,
  you,
  refusal,
  integrations,
  isDecided,
  action,
  seen,
  isChanged,
  words,
}: Props): VNode {
  const its = words.authorize;
  const { clientId, name } = wanted.client;
  const client = makeVisible(name ?? its.unnamed);
  return (
    <section class="card">
      <h1>{makeVisible(title)}</h1>
      <p class="lead">{its.lead(client, makeVisible(authorization.serverName))}</p>
      <p class="quiet">{its.unchecked}</p>
      <dl class="facts">
        <Fact name={its.program} value={URL.canParse(clientId) ? clientId : client} />
        <Fact name={its.goesTo} value={place.isLocal ? its.onThisDevice(place.host) : place.host} />
        <Fact name={its.may} value={scopes.map((scope) => its.scopes[scope] ?? scope).join(', ')} />
        {you !== undefined && <Fact name={its.you} value={you} />}
      </dl>
      {refusal !== '' && <Notice kind="bad">{its.refusals[refusal] ?? its.refusals['unknown']}</Notice>}
      {isChanged && <Notice kind="bad">{its.changed}</Notice>}
      {integrations && <ConsentTools integrations={integrations} words={words} />}
      {isDecided && <Choices mayAllow={you !== undefined} action={action} seen={seen} words={words} />}
      {you !== undefined && <p class="quiet after">{its.until}</p>}
    </section>
  );
}

type ChoicesProps = Pick<Props, 'action' | 'seen' | 'words'> & { mayAllow: boolean };

export function Choices({ mayAllow, action, seen, words: { authorize: its } }: ChoicesProps): VNode {
  return (
    <Form action={action} hidden={{ seen }} class="choices">
      {mayAllow && (
        <button type="submit" name="decision" value="allow" class="primary">
          {its.allow}
        </button>
      )}
      <button type="submit" name="decision" value="deny">
        {its.deny}
      </button>
    </Form>
  );
}

function Fact({ name, value }: { name: string; value: string }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{makeVisible(value)}</dd>
    </div>
  );
}
