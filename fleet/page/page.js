// The page of a fleet. What comes from weighings is written into text nodes only.
'use strict'

const main = document.getElementById('main')
const SVG = 'http://www.w3.org/2000/svg'

/** An element with text and children. No attribute is taken from data but classes, names and addresses made here. */
function element(name, { text, className, children = [], label } = {}) {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  if (label) made.setAttribute('aria-label', label)
  made.append(...children)
  return made
}

/** Bytes in powers of ten, as the reports have them. */
function bytes(value) {
  const whole = Math.round(value ?? 0)
  if (whole < 1000) return `${whole} B`
  if (whole < 99950) return `${(whole / 1e3).toFixed(1)} kB`
  if (whole < 999950000) return `${(whole / 1e6).toFixed(1)} MB`
  const [units, hundredths] = (whole / 1e9).toFixed(2).split('.')
  return `${Number(units).toLocaleString('en')}.${hundredths} GB`
}

function share(part, whole) {
  return whole > 0 ? `${((part * 100) / whole).toFixed(1)} %` : '–'
}

function money(value) {
  return value === null || value === undefined
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

async function ask(question, about = {}) {
  const answer = await fetch(`/api/${question}?${new URLSearchParams(about)}`)
  const content = await answer.json()
  if (!answer.ok) throw new Error(content.error)
  return content
}

/** A way on: what it leads to is in the address, so that it can be sent. */
function link(text, to) {
  const made = element('a', { text })
  made.href = `#${new URLSearchParams(to)}`
  return made
}

/** A table with a heading. Each column has a name, a cell, and whether it is a figure. */
function table(title, columns, rows) {
  const cell = (name, figure, content) => {
    const made = element(name, { className: figure ? 'figure' : '' })
    made.append(content)
    return made
  }
  const head = element('tr', { children: columns.map(([name, , figure]) => cell('th', figure, name)) })
  const body = rows.map((row) =>
    element('tr', { children: columns.map(([, of, figure]) => cell('td', figure, of(row) ?? '')) }),
  )
  const whole = element('table', {
    children: [element('thead', { children: [head] }), element('tbody', { children: body })],
  })
  return [element('h2', { text: title }), element('div', { className: 'scroll', children: [whole] })]
}

/** Rectangles in the proportion of some values, as near to squares as a row of them allows (Bruls and others, 2000). */
function squares(values, width, height) {
  const sum = values.reduce((sum, value) => sum + value, 0)
  const areas = values.map((value) => (value / sum) * width * height)
  const placed = []
  let [x, y, w, h] = [0, 0, width, height]
  let row = []
  const worst = (areas, side) => {
    const sum = areas.reduce((sum, area) => sum + area, 0)
    return Math.max(...areas.map((area) => Math.max((side * side * area) / (sum * sum), (sum * sum) / (side * side * area))))
  }
  const lay = () => {
    const sum = row.reduce((sum, area) => sum + area, 0)
    if (w >= h) {
      const wide = sum / h
      let at = y
      for (const area of row) placed.push({ x, y: at, w: wide, h: area / wide }), (at += area / wide)
      x += wide
      w -= wide
    } else {
      const high = sum / w
      let at = x
      for (const area of row) placed.push({ x: at, y, w: area / high, h: high }), (at += area / high)
      y += high
      h -= high
    }
    row = []
  }
  for (const area of areas) {
    const side = Math.min(w, h)
    if (row.length > 0 && worst([...row, area], side) > worst(row, side)) lay()
    row.push(area)
  }
  if (row.length > 0) lay()
  return placed
}

function map(services) {
  const shown = services.filter((service) => service.bytes > 0).sort((one, other) => other.bytes - one.bytes)
  const field = element('div', { className: 'map' })
  squares(shown.map((service) => service.bytes), 100, 100).forEach((at, nth) => {
    const service = shown[nth]
    const words = `${bytes(service.dead)} of ${bytes(service.bytes)} dead (${share(service.dead, service.bytes)})`
    const shade = element('span', { className: 'shade' })
    shade.style.height = `${(service.dead / service.bytes) * 100}%`
    const named = element('span', { className: 'words', children: [element('strong', { text: service.service })] })
    named.append(document.createElement('br'), words)
    const tile = element('button', {
      className: 'tile',
      label: `${service.service}: ${words}`,
      children: [shade, named],
    })
    tile.style.left = `${at.x}%`
    tile.style.top = `${at.y}%`
    tile.style.width = `${at.w}%`
    tile.style.height = `${at.h}%`
    tile.addEventListener('click', () => go({ service: service.service }))
    field.append(tile)
  })
  return [element('h2', { text: 'What services hold; dead weight is hatched' }), field]
}

function line(days) {
  const most = Math.max(...days.map((day) => day.dead_a_host), 1)
  const drawn = document.createElementNS(SVG, 'svg')
  drawn.setAttribute('viewBox', '0 0 100 100')
  drawn.setAttribute('preserveAspectRatio', 'none')
  drawn.setAttribute('role', 'img')
  const last = days.at(-1)
  const words = last
    ? `${last.day}: ${bytes(last.dead_a_host)} a host on ${last.hosts} hosts; at most ${bytes(most)} a host since ${days[0].day}`
    : 'nothing was weighed'
  drawn.setAttribute('aria-label', words)
  const axis = document.createElementNS(SVG, 'line')
  for (const [name, value] of Object.entries({ x1: 0, y1: 99, x2: 100, y2: 99, class: 'axis' })) axis.setAttribute(name, value)
  const path = document.createElementNS(SVG, 'polyline')
  path.setAttribute('class', 'dead')
  const point = (day, at) => `${(at / Math.max(days.length - 1, 1)) * 100},${99 - (day.dead_a_host / most) * 97}`
  path.setAttribute('points', days.map(point).join(' '))
  drawn.append(axis, path)
  return [
    element('h2', { text: 'Dead weight of a host by day' }),
    drawn,
    element('p', { className: 'faint', text: words }),
  ]
}

function findings(title, rows) {
  const priced = rows.some((row) => row.a_month !== null)
  return table(
    title,
    [
      ['rule', (row) => row.rule],
      ['place', (row) => row.holder],
      ['service', (row) => (row.services > 1 ? `${row.service} +${row.services - 1}` : row.service)],
      ['hosts', (row) => row.hosts.toLocaleString('en'), true],
      ['saves', (row) => bytes(row.saves), true],
      ...(priced ? [['a month', (row) => money(row.a_month), true]] : []),
      ['since', (row) => row.since_version],
      ['fix', (row) => row.fix],
      ['who', (row) => link('which hosts', { fingerprint: row.fingerprint })],
    ],
    rows,
  )
}

async function fleet() {
  const [top, trend] = await Promise.all([ask('fleet'), ask('trend')])
  const sum = (of) => top.services.reduce((sum, service) => sum + of(service), 0)
  const [dead, held, hosts] = [sum((one) => one.dead), sum((one) => one.bytes), sum((one) => one.hosts)]
  say(
    `${bytes(dead)} of ${bytes(held)} held are dead weight (${share(dead, held)})`,
    `On ${hosts.toLocaleString('en')} hosts of ${top.services.length} services, by the latest weighing of each, ${top.since} to ${top.until}.` +
      (top.price ? ` It costs ${money(sum((one) => one.a_month))} a month.` : ''),
  )
  const columns = [
    ['service', (row) => link(row.service, { service: row.service })],
    ['hosts', (row) => row.hosts.toLocaleString('en'), true],
    ['held', (row) => bytes(row.bytes), true],
    ['dead', (row) => bytes(row.dead), true],
    ['share', (row) => share(row.dead, row.bytes), true],
    ['sure', (row) => bytes(row.dead_sure), true],
    ...(top.price ? [['a month', (row) => money(row.a_month), true]] : []),
  ]
  return [
    ...map(top.services),
    ...line(trend.days),
    ...findings('What to fix', top.findings),
    ...table('Services', columns, top.services),
  ]
}

async function service({ service }) {
  const [top, trend, hosts] = await Promise.all([
    ask('fleet', { service }),
    ask('trend', { service }),
    ask('hosts', { service }),
  ])
  const [one] = top.services
  say(service, one ? `${bytes(one.dead)} of ${bytes(one.bytes)} held are dead weight, on ${one.hosts} hosts.` : '')
  const columns = [
    ['captured', (row) => link(row.captured_at, { id: row.id, service })],
    ['host', (row) => row.host],
    ['version', (row) => row.version],
    ['held', (row) => bytes(row.bytes), true],
    ['dead', (row) => bytes(row.dead), true],
    ['findings', (row) => row.findings.toLocaleString('en'), true],
  ]
  return [...line(trend.days), ...findings('What to fix', top.findings), ...table('Latest weighings', columns, hosts)]
}

async function weighing({ id, service }) {
  const about = await ask('weighing', service ? { id, service } : { id })
  const one = about.weighing
  say(
    `${bytes(one.dead + one.external_dead)} of ${bytes(one.held + one.external)} held are dead weight`,
    `${one.service} ${one.version} on ${one.host}, ${one.captured_at}; ${one.runtime} ${one.runtime_version}` +
      (one.partial ? '; the dump is not whole' : '') +
      (one.estimated ? '; sizes are estimates' : ''),
  )
  const found = [
    ['rule', (row) => row.rule],
    ['place', (row) => row.holder],
    ['what is there', (row) => row.title],
    ['fix', (row) => row.fix],
    ['saves', (row) => bytes(row.saves), true],
    ['basis', (row) => row.basis],
    ['line', (row) => (row.file ? `${row.file}:${row.line}` : (row.site ?? ''))],
    ['who', (row) => link('which hosts', { fingerprint: row.fingerprint })],
  ]
  const holds = [
    ['type', (row) => row.type ?? 'places too small to list'],
    ['objects', (row) => row.objects.toLocaleString('en'), true],
    ['on the heap', (row) => bytes(row.bytes), true],
    ['outside', (row) => bytes(row.external), true],
  ]
  return [...table('What to fix', found, about.findings), ...table('What it holds', holds, about.holdings)]
}

async function who({ fingerprint }) {
  const about = await ask('who', { fingerprint })
  const all = about.versions.reduce((sum, version) => sum + version.hosts, 0)
  say(
    `${about.rule} at ${about.holder}: ${about.hosts.length} of ${all} hosts lack the fix`,
    `${about.fix}. First seen in version ${about.since_version}, ${about.since}.`,
  )
  const versions = [
    ['service', (row) => link(row.service, { service: row.service })],
    ['version', (row) => row.version],
    ['hosts', (row) => row.hosts.toLocaleString('en'), true],
    ['lack the fix', (row) => row.having.toLocaleString('en'), true],
  ]
  const hosts = [
    ['host', (row) => row.host],
    ['service', (row) => row.service],
    ['version', (row) => row.version],
    ['weighed', (row) => link(row.captured_at, { id: row.id, service: row.service })],
    ['saves', (row) => bytes(row.saves), true],
  ]
  return [...table('Versions', versions, about.versions), ...table('Hosts', hosts, about.hosts)]
}

function say(title, about) {
  document.getElementById('title').textContent = title
  document.getElementById('about').textContent = about
  document.title = `Deadweight: ${title}`
}

function go(to) {
  location.hash = new URLSearchParams(to)
}

let asked = 0

async function show() {
  const about = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  const nth = ++asked
  const view = about.id ? weighing : about.fingerprint ? who : about.service ? service : fleet
  let content
  try {
    content = await view(about)
  } catch (error) {
    say('The fleet', '')
    content = [element('p', { className: 'error', text: error.message })]
  }
  // What was asked for since comes by itself.
  if (nth !== asked) return
  const way = [link('All services', {})]
  if (about.service) way.push(' › ', link(about.service, { service: about.service }))
  document.getElementById('way').replaceChildren(...(view === fleet ? [] : way))
  main.replaceChildren(...content)
  main.dataset.ready = view.name
}

addEventListener('hashchange', show)
show()
