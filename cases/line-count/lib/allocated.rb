# frozen_string_literal: true

require 'objspace'

# What a block makes, as memory_profiler counts it: the collector is off, and every object is weighed afterwards.
module Allocated
  # Objects and bytes.
  def self.by
    GC.start
    GC.disable
    generation = GC.count
    ObjectSpace.trace_object_allocations { yield }
    bytes = objects = 0
    ObjectSpace.each_object do |object|
      next unless ObjectSpace.allocation_generation(object) == generation

      objects += 1
      bytes += ObjectSpace.memsize_of(object)
    end
    [objects, bytes]
  ensure
    GC.enable
  end
end
