// All fixes: the chain's last step.

import './chain-6-columns.js'
