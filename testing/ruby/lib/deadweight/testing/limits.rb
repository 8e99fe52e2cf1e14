# frozen_string_literal: true

module Deadweight
  module Testing
    # Limits of a test, written as the budgets that `deadweight check` reads.
    module Limits
      HELD = %i[bytes external dead_share per_record records bytes_per_record findings].freeze
      CHURN = %i[bytes bytes_per_operation findings].freeze

      class << self
        def held(limits)
          known(limits, HELD, 'expect_held')
          counted = limits.key?(:records) || limits.key?(:bytes_per_record)
          if counted && limits.key?(:bytes)
            raise ArgumentError, 'bytes and bytes_per_record limit the same figure: give one of them'
          end

          lines = ['[budget]']
          lines << "held = #{bytes('bytes', limits[:bytes])}" if limits.key?(:bytes)
          lines << "held = #{all_records(limits)}" if counted
          lines << "external = #{bytes('external', limits[:external])}" if limits.key?(:external)
          lines << "dead_share = #{share(limits[:dead_share])}" if limits.key?(:dead_share)
          lines << "findings = #{rules(limits[:findings])}" if limits.key?(:findings)
          limits.fetch(:per_record, {}).each do |holder, each|
            lines.push('[[budget.records]]', "holder = #{text(holder)}", "bytes = #{bytes("per_record[#{holder}]", each)}")
          end
          finished(lines)
        end

        def churn(limits)
          known(limits, CHURN, 'expect_churn')
          lines = ['[budget]']
          lines << "churned = #{bytes('bytes', limits[:bytes])}" if limits.key?(:bytes)
          if limits.key?(:bytes_per_operation)
            lines << "bytes_per_operation = #{bytes('bytes_per_operation', limits[:bytes_per_operation])}"
          end
          lines << "findings = #{rules(limits[:findings])}" if limits.key?(:findings)
          finished(lines)
        end

        def count(name, value)
          return value if value.is_a?(Integer) && value.positive?

          raise ArgumentError, "#{name} must be a whole number above 0; it is #{value.inspect}"
        end

        private

        # A typing error in a limit would otherwise be a test that cannot fail.
        def known(limits, names, what)
          raise ArgumentError, "#{what} needs a limit: #{names.join(', ')}" if limits.empty?

          strange = limits.keys.find { |name| !names.include?(name) }
          raise ArgumentError, "#{what} knows no limit #{strange}, but #{names.join(', ')}" if strange
        end

        def all_records(limits)
          each = limits[:bytes_per_record]
          unless each.is_a?(Numeric) && each >= 0
            raise ArgumentError, "bytes_per_record must be a number of bytes; it is #{each.inspect}"
          end

          (count('records', limits[:records]) * each).floor
        end

        def bytes(name, value)
          return text(value) if value.is_a?(String) # such as "1 MB": the tool reads it
          return value.floor if value.is_a?(Numeric) && value >= 0

          raise ArgumentError, "#{name} must be bytes, such as 1000 or \"1 MB\"; it is #{value.inspect}"
        end

        def share(value)
          return text(value) if value.is_a?(String)
          return format('%.6f', value) if value.is_a?(Numeric) && value.between?(0, 1)

          raise ArgumentError, "dead_share must be a share, such as 0.1 or \"10 %\"; it is #{value.inspect}"
        end

        def rules(value)
          return "[#{value.map { |code| text(code) }.join(', ')}]" if value.is_a?(Array)

          raise ArgumentError, 'findings must be an array of the rules that are allowed, such as [] or ["L03"]'
        end

        def text(value)
          value.to_s.to_json.gsub("\u007f", '\\u007f')
        end

        def finished(lines)
          "#{lines.join("\n")}\n"
        end
      end
    end
  end
end
