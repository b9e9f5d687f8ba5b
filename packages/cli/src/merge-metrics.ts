interface Family {
  /** The lines that describe the metric. */
  head: string[];
  samples: string[];
}

const HEAD = /^# (?:HELP|TYPE) (\S+)/;

/**
 * Merges the metrics of several processes, each in the text format of Prometheus, into one text. Each sample gets the label `process`. Each name is
 * described only once, as the format requires: https://prometheus.io/docs/instrumenting/exposition_formats/.
 */
export function mergeMetrics(texts: readonly (readonly [process: string, text: string])[]): string {
  const families = new Map<string, Family>();
  for (const [process, text] of texts) {
    let family: Family = { head: [], samples: [] };
    for (const line of text.split('\n').filter((one) => one !== '')) {
      const [, name] = HEAD.exec(line) ?? [];
      if (name !== undefined) family = familyOf(families, name, line);
      else family.samples.push(labelled(line, process));
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples]);
  return lines.map((line) => `${line}\n`).join('');
}

function familyOf(families: Map<string, Family>, name: string, headLine: string): Family {
  const family = families.get(name) ?? { head: [], samples: [] };
  families.set(name, family);
  if (!family.head.includes(headLine)) family.head.push(headLine);
  return family;
}

/** The labels begin at the first brace, because the name contains none. */
function labelled(sample: string, process: string): string {
  const label = `process="${process}"`;
  const brace = sample.indexOf('{');
  return brace < 0
    ? sample.replace(' ', `{${label}} `)
    : `${sample.slice(0, brace)}{${label},${sample.slice(brace + 1)}`;
}
