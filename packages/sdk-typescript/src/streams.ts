/** A server-sent event, with its data parsed. */
export interface Event {
  id?: string;
  event: string;
  data: unknown;
}

/** Yields the events of a `text/event-stream` as they arrive. */
export async function* eventsOf(response: Response): AsyncGenerator<Event> {
  let event: { id?: string; event: string; data: string[] } = { event: 'message', data: [] };
  for await (const line of linesOf(response)) {
    if (line === '') {
      if (event.data.length > 0) yield { ...event, data: JSON.parse(event.data.join('\n')) };
      event = { id: event.id, event: 'message', data: [] };
      continue;
    }
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'data') event.data.push(value);
    else if (field === 'event' || field === 'id') event[field] = value;
  }
}

/** Yields the values of newline-delimited JSON as they arrive. */
export async function* valuesOf<Value>(response: Response): AsyncGenerator<Value> {
  for await (const line of linesOf(response)) if (line !== '') yield JSON.parse(line) as Value;
}

/** Yields the lines of a body. It uses a reader, because not every platform can iterate over a body. Leaving the loop early cancels the response. */
async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split(/\r?\n/);
      rest = lines.pop() ?? '';
      yield* lines;
      if (done) return void (rest !== '' && (yield rest));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
