# The client to use.
require "./after"

module Bincache
  alias Client = After
end
