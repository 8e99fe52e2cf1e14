# Marks the operations of a program, so that `deadweight run --churn` shows the bytes that each of them makes:
#
# ```
# while request = requests.receive?
#   answer(request)
#   Deadweight.operation
# end
# ```
#
# The recorder is looked up by name. Without it the call does nothing, and nothing has to be linked.
module Deadweight
  {% if flag?(:linux) %}
    # A null handle is the whole process, the preloaded recorder included.
    @@counter : Void* = LibC.dlsym(Pointer(Void).null, "deadweight_operations")
  {% else %}
    @@counter : Void* = Pointer(Void).null
  {% end %}

  # Marks so many operations as done.
  def self.operation(count : Int = 1) : Nil
    counter = @@counter
    return if counter.null?
    Proc(UInt64, Nil).new(counter, Pointer(Void).null).call(count.to_u64)
  end
end
