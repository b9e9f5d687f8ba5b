import { type ColumnType, ColumnTypeEnum, DriverAdapterError } from '@prisma/driver-adapter-utils';

/** PostgreSQL's type ids, as far as its catalog and the table of migrations use them. */
const COLUMN_TYPES: Record<number, ColumnType> = {
  16: ColumnTypeEnum.Boolean,
  18: ColumnTypeEnum.Character, // "char", one byte, of the catalog alone: @prisma/adapter-pg refuses it
  19: ColumnTypeEnum.Text, // name
  20: ColumnTypeEnum.Int64,
  21: ColumnTypeEnum.Int32,
  23: ColumnTypeEnum.Int32,
  25: ColumnTypeEnum.Text,
  26: ColumnTypeEnum.Int64, // oid
  1009: ColumnTypeEnum.TextArray,
  1043: ColumnTypeEnum.Text,
  1184: ColumnTypeEnum.DateTime,
};

/** Throws for a type that neither the catalog nor the table of migrations is known to use. */
export function columnType(typeId: number): ColumnType {
  const type = COLUMN_TYPES[typeId];
  if (type === undefined) throw new DriverAdapterError({ kind: 'UnsupportedNativeDataType', type: `oid ${typeId}` });
  return type;
}
