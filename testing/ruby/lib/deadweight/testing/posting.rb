# frozen_string_literal: true

require 'open3'

module Deadweight
  module Testing
    # What came of posting: the bytes that were resident and how long the process stood still, or why nothing was posted.
    Posted = Struct.new(:bytes, :pause, :why, keyword_init: true) do
      def posted?
        why.nil?
      end
    end

    # What posting may cost the process: what is over one of these is skipped.
    class Spent
      # What a capture took where it was measured, in seconds a megabyte: what is expected of the first one.
      SECONDS_A_MEGABYTE = 0.02

      def initialize
        @began = Spent.now
        @seconds = 0.0
        @last = nil
      end

      def self.now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end

      # Why a capture of so many bytes would cost more than it may; nil where it would not.
      def refuses(bytes, max_pause:, max_cpu:, max_bytes:)
        return "#{bytes} bytes are resident, more than #{max_bytes.to_i}" if bytes > max_bytes

        pause, weighing = expected(bytes)
        if pause > max_pause
          return format('a capture of %d bytes would stop the process for %.3f s, more than %g s', bytes, pause, max_pause)
        end

        share = (@seconds + pause + weighing) / [Spent.now - @began, 1e-3].max
        return if share <= max_cpu

        format('captures would have taken %.2f %% of a processor, more than %g %%', share * 100, max_cpu * 100)
      end

      def add(bytes, pause, weighing)
        @seconds += pause + weighing
        @last = [[bytes, 1].max, pause, weighing]
      end

      private

      def expected(bytes)
        return [bytes / 1e6 * SECONDS_A_MEGABYTE] * 2 unless @last

        of, pause, weighing = @last
        [pause * bytes / of, weighing * bytes / of]
      end
    end

    @spent = Spent.new

    class << self
      # Captures this process, weighs it in another one and posts the weighing, without the program's texts, to the address, as
      # `deadweight run --every … --post` does from outside. Skips where a capture would stop the process for longer than
      # `max_pause` seconds, where captures and weighings would have taken more than `max_cpu` of one processor since the
      # start, or where more than `max_bytes` are resident. Raises nothing because a server is away.
      def post(url, max_pause: 1.0, max_cpu: 0.01, max_bytes: 500e6)
        raise ArgumentError, 'post needs the address that takes weighings' unless url.is_a?(String) && !url.empty?

        budgets = { max_pause: max_pause, max_cpu: max_cpu, max_bytes: max_bytes }
        budgets.each do |name, value|
          raise ArgumentError, "#{name} must be a number above 0; it is #{value.inspect}" unless value.is_a?(Numeric) && value.positive?
        end
        bytes = resident
        why = @spent.refuses(bytes, **budgets)
        return Posted.new(bytes: bytes, why: why) if why

        measured(url, bytes)
      rescue Busy, SystemCallError => error
        Posted.new(bytes: bytes, why: error.message)
      end

      private

      def measured(url, bytes)
        alone('post') do |directory|
          began = Spent.now
          capture = Recorder.take(directory, 'post')
          pause = Spent.now - began
          words = ['weigh', capture, '--format', 'json', '--output', File.join(directory, 'weighing.json'), '--post', url]
          # The recorder of this process is not for that one.
          out, errors, status = Open3.capture3({ 'RUBYOPT' => nil }, Check.program, '--quiet', *words)
          @spent.add(bytes, pause, Spent.now - began - pause)
          next Posted.new(bytes: bytes, pause: pause) if status.success?

          Posted.new(bytes: bytes, why: (errors.empty? ? out : errors).strip)
        end
      end

      def resident
        File.read('/proc/self/statm').split[1].to_i * 4096
      end
    end
  end
end
