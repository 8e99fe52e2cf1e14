// The chain's first step is the first single fix: class instances.

import './fix-class.js'
