// All fixes: an id is kept in one way only, so it is the better of the two.

import './fix-packed.js'
