import { render } from 'preact'

import { App } from './app'
import { readData } from './data'
import './style.css'

const place = document.getElementById('app')
if (place) {
  place.textContent = ''
  render(<App data={readData()} />, place)
}
