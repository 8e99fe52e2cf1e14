// Forty thousand rows that hold fifty texts.
class Row {
  constructor(i) {
    this.id = i;
    this.text = ['a text that many of the rows have in common, number', i % 50].join(' ');
  }
}

exports.build = () => Array.from({ length: 40000 }, (_, i) => new Row(i));
