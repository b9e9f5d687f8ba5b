/** Returns a piece with forms that load options from the provider, with or without a connection. */
export function askedPiece(kit, { name, hasAuth }) {
  const {
    action,
    authorizationHeader,
    dropdown,
    dynamic,
    expandPath,
    InputError,
    multiSelect,
    piece,
    ProviderError,
    shortText,
    staticDropdown,
    trigger,
  } = kit;
  const toOption = ({ id, name }) => ({ label: name, value: id });

  const teams = async ({ http }) => {
    const all = [];
    for (let page = 1; page;) {
      const { items, next } = await http.json({ method: 'GET', path: '/teams', query: { page } });
      all.push(...items);
      page = next;
    }
    return all.map(toOption);
  };
  const channels = async ({ http, input }) => {
    if (input.team === undefined) return { options: [], disabled: true };
    if (typeof input.team !== 'string') throw new InputError('team', 'must be a team');
    return (await http.json({ method: 'GET', path: expandPath('/teams/{team}/channels', input) })).map(toOption);
  };
  const people = async ({ http, search }) => {
    const body = await http.json({ method: 'GET', path: '/people', query: { search } });
    if (body.ok === false) throw new ProviderError(body.error, { status: 200, code: body.error });
    return body.people.map(toOption);
  };
  const fields = async ({ http, input }) => {
    const columns = await http.json({ method: 'GET', path: '/columns', query: { team: input.team } });
    return Object.fromEntries(
      columns.map(({ id, name, choices }) => [
        id,
        choices ? staticDropdown(name, choices) : shortText(name, { required: true }),
      ]),
    );
  };
  const post = action({
    displayName: 'Post',
    description: 'Posts a message.',
    category: 'send',
    props: {
      team: dropdown('Team', { options: teams }),
      channel: dropdown('Channel', { refreshers: ['team'], options: channels }),
      people: multiSelect('People', { options: people }),
      kind: staticDropdown('Kind', ['note', { label: 'Alarm bell', value: 'alarm' }]),
      colour: dropdown('Colour'),
      fields: dynamic('Fields', { refreshers: ['team'], props: fields }),
      extra: dynamic('Extra'),
      text: shortText('Text'),
      defect: dropdown('Defect', {
        options: async () => {
          throw new Error('of ours');
        },
      }),
      answer: dropdown('Answer', { options: async () => 'none' }),
      form: dynamic('Form', { props: async () => ({ name: 'none' }) }),
    },
    run: async () => ({}),
  });
  const archive = action({
    displayName: 'Archive',
    description: 'Archives a channel.',
    category: 'write',
    props: {
      text: dropdown('Text', { options: async () => [{ label: 'Of archive', value: 'archive' }] }),
      channel: dropdown('Channel', {
        refreshers: ['year'],
        options: async () => [{ label: 'Of a year', value: 'year' }],
      }),
      year: shortText('Year'),
    },
    run: async () => ({}),
  });
  const posted = trigger({
    kind: 'polling',
    displayName: 'Posted',
    description: 'A message was posted.',
    sample: {},
    props: {
      channel: dropdown('Channel', { options: channels, refreshers: ['team'] }),
      team: dropdown('Team', { options: teams }),
    },
    poll: async () => ({ events: [], cursor: null }),
  });
  return piece({
    name,
    displayName: 'Asked',
    description: 'A third party of the tests.',
    categories: ['CORE'],
    origin: 'https://api.asked.example',
    ...(hasAuth && { auth: { types: ['SECRET_TEXT'], required: true }, http: { authorize: authorizationHeader } }),
    actions: { post, archive },
    triggers: { posted },
  });
}
