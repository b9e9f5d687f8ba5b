import { makeVisible } from '@drawbridge/contracts';
import { type EndUserConnection } from '@drawbridge/proto/drawbridge/connections/v1/end_user';
import { type Portal, type PortalConnection } from '@drawbridge/proto/drawbridge/connections/v1/portal';
import { type VNode } from 'preact';
import { Form, Notice, Section } from './kit/parts.js';
import { type Waiting, WaitingApprovals } from './portal-approvals.js';
import { type Words } from './words/en.js';

interface Shown {
  words: Words;
  path(path: string): string;
  /** The path of the page itself. */
  home: string;
  /** Display names of integrations, by their names. */
  titles: ReadonlyMap<string, string>;
}

interface PortalShown extends Shown {
  portal: Portal;
  /** Undefined if the approvals service did not answer. */
  waiting: Waiting[] | undefined;
  /** Integrations that can be connected. */
  offers: string[];
  notice?: VNode;
}

/** Shows the approvals that wait for the end user, and their connections, each with a way to end it. */
export function PortalBody({ portal, waiting, offers, notice, ...shown }: PortalShown): VNode {
  const its = shown.words.portal;
  const { connections, person } = portal;
  return (
    <>
      <h1>{its.title}</h1>
      <p class="lead">{person === undefined ? its.lead : its.leadOf(person)}</p>
      {notice}
      {waiting === undefined && <Notice kind="bad">{its.waitingUnknown}</Notice>}
      {waiting !== undefined && waiting.length > 0 && <WaitingApprovals waiting={waiting} {...shown} />}
      <Section id="connected" title={its.connected}>
        {connections.length === 0 ? (
          <p class="quiet">{its.nothing}</p>
        ) : (
          <ul class="rows">
            {connections.map((one) => (
              <ConnectionRow one={one} {...shown} />
            ))}
          </ul>
        )}
      </Section>
      {offers.length > 0 && <Offers offers={offers} {...shown} />}
    </>
  );
}

function Offers({ offers, words, path, home, titles }: Shown & { offers: string[] }): VNode {
  const its = words.portal;
  return (
    <Section id="offered" title={its.offered}>
      <ul class="rows">
        {offers.map((name) => (
          <li>
            <strong>{titles.get(name) ?? name}</strong>
            <Form action={path(`${home}/connect`)} hidden={{ integration: name }}>
              <button type="submit" aria-label={its.connectTo(titles.get(name) ?? name)}>
                {its.connect}
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ConnectionRow({ one, words, path, home, titles }: Shown & { one: PortalConnection }): VNode {
  const its = words.portal;
  const connection = one.connection!;
  const title = titleOf(connection, titles);
  const date = new Intl.DateTimeFormat(words.language, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <span class="quiet">
          {connection.displayName} · {one.accountLabel && <>{its.connectedAs(makeVisible(one.accountLabel))} · </>}
          <time dateTime={connection.createdAt}>{its.since(date.format(new Date(connection.createdAt)))}</time>
        </span>
      </div>
      <div class="end">
        <Status one={one} words={words} />
        {!one.suspended && connection.status !== 'ACTIVE' && (
          <Form action={path(`${home}/connect`)} hidden={{ id: connection.id }}>
            <button type="submit" aria-label={its.connectAgainTo(title)}>
              {its.connectAgain}
            </button>
          </Form>
        )}
        <a class="button" href={path(`${home}/disconnect?id=${connection.id}`)} aria-label={its.disconnectOf(title)}>
          {its.disconnect}
        </a>
      </div>
    </li>
  );
}

function Status({ one, words: { portal } }: { one: PortalConnection; words: Words }): VNode {
  if (one.suspended) return <span class="badge bad">{portal.suspended}</span>;
  return one.connection?.status === 'ACTIVE' ? (
    <span class="badge">{portal.active}</span>
  ) : (
    <span class="badge bad">{portal.refused}</span>
  );
}

/** Asks for confirmation before a connection is deleted. */
export function DisconnectBody({
  connection,
  words,
  path,
  home,
  titles,
}: Shown & { connection: EndUserConnection }): VNode {
  const its = words.portal;
  return (
    <section class="card">
      <h1>{its.ask(titleOf(connection, titles))}</h1>
      <p>{its.askLead(connection.displayName)}</p>
      <Form action={path(`${home}/disconnect`)} hidden={{ id: connection.id }}>
        <button type="submit" class="primary">
          {its.disconnect}
        </button>
      </Form>
      <p class="after">
        <a href={path(home)}>{its.keep}</a>
      </p>
    </section>
  );
}

function titleOf({ integrationName }: EndUserConnection, titles: Shown['titles']): string {
  return titles.get(integrationName) ?? integrationName;
}
