/**
 * Returns a piece with a polling trigger that reads pages of things, newest first, a webhook trigger with a subscription that must be
 * renewed, a trigger with a secret that the provider chooses in a handshake, a trigger with requests that start a poll, and two triggers that share a
 * webhook. The cursor stores the ids of the newest second, because more things of that second can follow.
 */
export function polledPiece(kit, { name, origin }) {
  const { authorizationHeader, isSameText, piece, readBody, textAt, trigger } = kit;
  const newThing = trigger({
    kind: 'polling',
    displayName: 'New thing',
    description: 'A thing is made.',
    props: {},
    sample: { id: 1, at: 1 },
    poll: async ({ http, cursor }) => {
      const found = new Map();
      for (let page = 1; page;) {
        const { things, next } = await http.json({ method: 'GET', path: '/things', query: { page } });
        for (const thing of things) found.set(thing.id, thing);
        page = next;
      }
      const things = [...found.values()].sort((one, other) => one.id - other.id);
      const at = Math.max(cursor?.at ?? 0, ...things.map((thing) => thing.at));
      const isNew = (thing) => thing.at > cursor.at || (thing.at === cursor.at && !cursor.ids.includes(thing.id));
      return {
        events: cursor ? things.filter(isNew).map((data) => ({ id: String(data.id), data })) : [],
        cursor: { at, ids: things.filter((thing) => thing.at === at).map(({ id }) => id) },
      };
    },
  });
  const lent = trigger({
    kind: 'webhook',
    displayName: 'Lent',
    description: 'Something happens while it is lent.',
    props: {},
    sample: { id: 1 },
    enable: async ({ http, webhookUrl, secret }) => {
      const { id, until } = await http.json({ method: 'POST', path: '/leases', json: { url: webhookUrl, secret } });
      return { state: { id }, renewAt: until };
    },
    renew: async ({ http, state }) => {
      const { id, until, secret } = await http.json({ method: 'PUT', path: '/leases/' + state.id });
      return { state: { id }, renewAt: until, secret };
    },
    disable: async ({ http, state }) => void (await http.request({ method: 'DELETE', path: '/leases/' + state.id })),
    verify: ({ headers }, { secret }) => secret !== '' && isSameText(headers['x-secret'] ?? '', secret),
    events: (request) => [{ id: textAt(readBody(request), 'id') ?? '', data: readBody(request) }],
  });
  const shaken = trigger({
    kind: 'webhook',
    displayName: 'Shaken',
    description: 'Something happens after a handshake.',
    props: {},
    sample: { id: 1 },
    enable: async ({ http, webhookUrl }) => {
      const { id } = await http.json({ method: 'POST', path: '/handshakes', json: { url: webhookUrl } });
      return { state: { id } };
    },
    disable: async () => undefined,
    handshake: ({ headers }) => {
      const secret = headers['x-hook-secret'];
      return secret ? { headers: { 'x-hook-secret': secret }, secret } : undefined;
    },
    verify: ({ headers }, { secret, webhookUrl }) => isSameText(headers['x-sent'] ?? '', secret + ' ' + webhookUrl),
    events: (request) => [{ id: textAt(readBody(request), 'id') ?? '', data: readBody(request) }],
  });
  const pinged = trigger({
    ...newThing,
    kind: 'webhook',
    displayName: 'Pinged',
    description: 'A thing is made; the request says only that.',
    enable: async ({ http, webhookUrl, secret }) => {
      const { id, until } = await http.json({ method: 'POST', path: '/leases', json: { url: webhookUrl, secret } });
      return { state: { id }, renewAt: until };
    },
    renew: lent.renew,
    disable: lent.disable,
    verify: lent.verify,
    poll: async (context) => {
      await context.http.json({ method: 'GET', path: '/things', query: { page: 99, state: context.state.id } });
      return newThing.poll(context);
    },
  });
  const sharing = (kind) =>
    trigger({
      kind: 'webhook',
      sharesWebhook: true,
      displayName: kind,
      description: 'One of two kinds of events of one webhook.',
      props: {},
      sample: { id: 1 },
      enable: async ({ http, webhookUrl, secret }) => {
        await http.json({ method: 'PUT', path: '/hook', json: { url: webhookUrl, secret } });
        return { state: {} };
      },
      disable: async ({ http }) => void (await http.request({ method: 'DELETE', path: '/hook' })),
      verify: lent.verify,
      events: (request) => {
        const sent = readBody(request);
        return sent.kind === kind ? [{ id: textAt(sent, 'id') ?? '', data: sent }] : [];
      },
    });
  return piece({
    name,
    displayName: 'Polled',
    description: 'An API of our own.',
    categories: ['CORE'],
    origin,
    auth: { types: ['SECRET_TEXT'], required: true },
    http: { authorize: authorizationHeader },
    actions: {},
    triggers: { new_thing: newThing, lent, shaken, pinged, opened: sharing('opened'), closed: sharing('closed') },
  });
}
