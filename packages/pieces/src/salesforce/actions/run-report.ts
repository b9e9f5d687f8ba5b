import { action, expandPath, type JsonValue, listAt, member, textAt } from '@drawbridge/piece-kit';
import { record } from '../properties.js';
import { DATA } from '../version.js';

/**
 * Runs a report and returns its rows:
 * https://developer.salesforce.com/docs/atlas.en-us.api_analytics.meta/api_analytics/sforce_analytics_rest_api_get_reportdata.htm
 */
export const runReport = action({
  displayName: 'Run report',
  description: 'Runs a report and returns its rows, at most 2,000, each with its groups, and the totals of the report.',
  category: 'read',
  props: { report_id: record },
  run: async ({ http, input: { report_id } }) => {
    const path = expandPath(`${DATA}/analytics/reports/{report_id}`, { report_id });
    const report = await http.json({ method: 'GET', path, query: { includeDetails: true } });
    const names = columnNames(report);
    const facts = Object.entries(member(report, 'factMap') ?? {});
    return {
      name: textAt(report, 'reportMetadata', 'name') ?? null,
      isComplete: member(report, 'allData') ?? null,
      rows: facts.flatMap(([key, fact]) => {
        const [down = '', across = ''] = key.split('!');
        const groups = [...groupsOf(report, 'groupingsDown', down), ...groupsOf(report, 'groupingsAcross', across)];
        return listAt(fact, 'rows').map((row) => ({ ...Object.fromEntries(groups), ...toRow(row, names) }));
      }),
      totals: listAt(report, 'factMap', 'T!T', 'aggregates').map((total) => member(total, 'label') ?? null),
    };
  },
});

/** Returns the labels of the columns. Columns that share a label also contain their API name. */
function columnNames(report: JsonValue): string[] {
  const columns = listAt(report, 'reportMetadata', 'detailColumns').map(String);
  const labels = columns.map(
    (column) => textAt(report, 'reportExtendedMetadata', 'detailColumnInfo', column, 'label') ?? column,
  );
  const isShared = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
  return labels.map((label, at) => (isShared(label) ? `${label} (${columns[at]})` : label));
}

/** Returns the groups of a fact, by the label of their column. The fact with the key "0_1" is in the second group of the first group. */
function groupsOf(
  report: JsonValue,
  side: 'groupingsDown' | 'groupingsAcross',
  key: string,
): [label: string, group: JsonValue][] {
  let groups = listAt(report, side, 'groupings');
  return listAt(report, 'reportMetadata', side).flatMap((column, depth) => {
    const path = key.split('_').slice(0, depth + 1);
    const group = groups.find((one) => textAt(one, 'key') === path.join('_'));
    const name = textAt(column, 'name');
    if (group === undefined || name === undefined) return [];
    groups = listAt(group, 'groupings');
    const label = textAt(report, 'reportExtendedMetadata', 'groupingColumnInfo', name, 'label') ?? name;
    return [[label, member(group, 'label') ?? null]];
  });
}

const toRow = (row: JsonValue, names: readonly string[]) =>
  Object.fromEntries(
    listAt(row, 'dataCells').map((cell, at) => [names[at] ?? `column ${at}`, member(cell, 'label') ?? null]),
  );
