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
  /** Where the person is sent from here. */
  place: { host: string; isLocal: boolean };
  scopes: string[];
  /** As whom they may say yes; undefined: they may not. */
  you?: string;
  refusal: string;
  /** Absent: the person is not known yet, or may not allow it. A stranger does not learn what a server offers. */
  integrations?: ConsentIntegration[];
  /** Whether the decision stands in this card. */
  isDecided: boolean;
  action: string;
  /** Sent back with the answer. */
  seen: string;
  /** What they were shown before was something else. */
  isChanged: boolean;
  words: Words;
}

/** Who asks for what, where it leads, and what is answered: all that a program said is shown as text, and that nobody has checked it. */
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
