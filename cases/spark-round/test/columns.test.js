import assert from 'node:assert/strict'
import test from 'node:test'
import { BooleanColumn, DictionaryColumn, NullableNumberColumn, NumberColumn } from '../lib/columns.js'
import { generateMeasurements } from '../lib/generator.js'
import { Measurement } from '../lib/measurement.js'
import { MeasurementColumns } from '../lib/measurement-columns.js'
import { RoundClock } from '../lib/time.js'
import { invalidField } from '../lib/validate.js'

test('columns give back what was put in, before and after they are sealed', () => {
  const columns = {
    numbers: [new NumberColumn(Int32Array), i => i * 3 - 2000],
    nullable: [new NullableNumberColumn(Int32Array, -1), i => (i % 3 === 0 ? null : i)],
    booleans: [new BooleanColumn(), i => i % 2 === 0],
    texts: [new DictionaryColumn(Uint8Array), i => (i % 7 === 0 ? null : `text ${i % 100}`)]
  }
  for (const [name, [column, valueAt]] of Object.entries(columns)) {
    for (let i = 0; i < 3000; i++) column.put(i, valueAt(i))
    for (let i = 0; i < 3000; i++) assert.equal(column.get(i), valueAt(i), name)
    column.seal(3000)
    for (let i = 0; i < 3000; i++) assert.equal(column.get(i), valueAt(i), name)
  }
})

test('a column becomes wider when a value comes that does not fit', () => {
  const cases = [
    [new NumberColumn(Uint8Array), [255, 256, 65_536, 2 ** 32, 2 ** 53 - 1]],
    [new NumberColumn(Int32Array), [-1, 2 ** 31, -(2 ** 31) - 1, 0.5]],
    // The number that stands for null comes itself.
    [new NullableNumberColumn(Uint16Array, 0), [null, 200, null, 0, 70_000, null]],
    [new NullableNumberColumn(Int32Array, -(2 ** 31)), [null, -(2 ** 31), 5, -(2 ** 40)]],
    [new DictionaryColumn(Uint8Array), Array.from({ length: 70_000 }, (_, i) => `text ${i}`)]
  ]
  for (const [column, values] of cases) {
    values.forEach((value, row) => column.put(row, value))
    values.forEach((value, row) => assert.equal(column.get(row), value))
    column.seal(values.length)
    values.forEach((value, row) => assert.equal(column.get(row), value))
  }
})

test('a measurement that no column can take leaves the columns in line', () => {
  const [first, second] = generateMeasurements(2)
  const { toOffset } = new RoundClock()
  const columns = new MeasurementColumns()
  columns.push(new Measurement(first, toOffset))
  const broken = new Measurement(second, toOffset)
  broken.byte_length = 'none'
  assert.throws(() => columns.push(broken), RangeError)
  columns.push(new Measurement(second, toOffset))
  assert.equal(columns.length, 2)
  const kept = new Measurement(second, toOffset)
  for (const view of columns) {
    if (view.row === 1) for (const [field, value] of Object.entries(kept)) assert.equal(view[field], value, field)
  }
})

test('a measurement reads the same from columns', () => {
  const clock = new RoundClock()
  const kept = []
  const columns = new MeasurementColumns()
  for (const record of generateMeasurements(3000)) {
    if (invalidField(record) !== null) continue
    const measurement = new Measurement(record, clock.toOffset)
    kept.push(measurement)
    columns.push(measurement)
  }
  columns.seal()
  assert.equal(columns.length, kept.length)
  let row = 0
  for (const view of columns) {
    const measurement = kept[row++]
    for (const [field, value] of Object.entries(measurement)) assert.equal(view[field], value, field)
  }
  assert.equal(row, kept.length)
})
