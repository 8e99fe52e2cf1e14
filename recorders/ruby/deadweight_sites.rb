# frozen_string_literal: true

module Deadweight
  # The line that made each object, as the interpreter traces it. What its table takes is none of the program's memory.
  module Sites
    TABLE = 'ObjectTracing/allocation_info_tracer'
    CLASS = Kernel.instance_method(:class)
    private_constant :TABLE, :CLASS

    @table = nil

    class << self
      def start
        ObjectSpace.trace_object_allocations_start
        ObjectSpace.each_object(Object) { |object| @table = object if table?(object) }
      end

      # Bytes of the table, without its slot: a dump has that, and no bytes of the table.
      def bytes
        @table.nil? ? 0 : [ObjectSpace.memsize_of(@table) - GC::INTERNAL_CONSTANTS.fetch(:RVALUE_SIZE, 40), 0].max
      end

      private

      # A bare object for the program, and a table for the interpreter.
      def table?(object)
        CLASS.bind_call(object).equal?(Object) && ObjectSpace.dump(object).include?("\"struct\":\"#{TABLE}\"")
      end
    end
  end
end
