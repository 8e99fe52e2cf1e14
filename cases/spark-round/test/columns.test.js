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
    for (let i = 0; i < 3000; i++) column.push(valueAt(i))
    for (let i = 0; i < 3000; i++) assert.equal(column.get(i), valueAt(i), name)
    column.seal()
    for (let i = 0; i < 3000; i++) assert.equal(column.get(i), valueAt(i), name)
  }
})

test('a value that does not fit is refused', () => {
  assert.throws(() => new NumberColumn(Uint8Array).push(256), RangeError)
  assert.throws(() => new NumberColumn(Int32Array).push(0.5), RangeError)
  assert.throws(() => new NullableNumberColumn(Int32Array, -1).push(-1), RangeError)
  const texts = new DictionaryColumn(Uint8Array)
  for (let i = 0; i < 256; i++) texts.push(`text ${i}`)
  assert.throws(() => texts.push('one too many'), RangeError)
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
