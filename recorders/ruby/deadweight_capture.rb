# frozen_string_literal: true

require 'objspace'
require 'fiddle'
require_relative 'deadweight_files'
require_relative 'deadweight_names'
require_relative 'deadweight_classes'
require_relative 'deadweight_strings'
require_relative 'deadweight_churn'
require_relative 'deadweight_curve'
require_relative 'deadweight_sites'

module Deadweight
  # One capture: note names and values, collect the garbage, take the totals, write the dump, then the record.
  module Capture
    SCHEMA = 'deadweight/capture/1'
    OBJECTS = 'objects.ndjson'
    HEAP_PAGE = GC::INTERNAL_CONSTANTS[:HEAP_PAGE_SIZE] || 65_536

    # What was there before the program began. It is kept alive, so that its addresses stay its own.
    @before = []
    @globals = []

    class << self
      # Before the program's first line.
      def begin
        @base = memory('VmRSS')
      end

      # The most bytes that were ever resident; 0 where the system does not tell.
      def peak
        memory('VmHWM') || 0
      end

      def remember
        GC.start
        ObjectSpace.each_object { |object| @before << object }
        @globals = global_variables
      end

      def take(settings, number, reason, trigger)
        start = now
        peak_before = peak
        pages = sums_of_pages # what is noted below writes to pages that were shared
        Churn.pause
        directory = Files.make_directory(settings.directory, settings.program, number)
        compacts = GC.respond_to?(:auto_compact) && GC.auto_compact
        GC.auto_compact = false if compacts # addresses must stay
        until_now = Curve.until_now
        facts = settings.snapshot ? attempt('names were not noted') { quietly { facts(directory) } } : nil
        GC.start
        collected = now
        churn = settings.churn ? attempt('what the program made was not written') { Churn.write(directory) } : nil
        process = identity(settings, reason, trigger).merge(totals)
        # An earlier capture may have taken more than the program ever did, and what it took may be resident still.
        process[:smaps] = pages unless pages.empty?
        process[:rss_base] = @base + Sites.bytes if @base && number == 1
        process[:rss_peak] = peak_before if number == 1 && peak_before.positive?
        curve = until_now && attempt('what was held over time was not written') do
          Curve.write(directory, until_now, process[:heap_used])
        end
        snapshot = settings.snapshot ? dump(directory, !facts.nil?) : nil
        record = {
          schema: SCHEMA, run: settings.run, runtime: runtime, process: process, snapshot: snapshot, ruby: facts,
          churn: churn, curve: curve,
          cost: { seconds: now - start, gc_seconds: collected - start, peak_rss_before: peak_before, peak_rss: peak }
        }.compact
        Files.write(directory, 'capture.json') { |file| file.write(Files.json(record), "\n") }
        directory
      rescue Exception # rubocop:disable Lint/RescueException -- nothing half-written stays
        Files.remove(directory) if directory
        raise
      ensure
        GC.auto_compact = true if compacts
        Churn.resume
      end

      private

      # Looking at a constant that is deprecated warns of it, where the program has asked for such warnings.
      def quietly
        warns = Warning[:deprecated]
        Warning[:deprecated] = false
        yield
      ensure
        Warning[:deprecated] = warns
      end

      def facts(directory)
        names = Names.new
        strings = Strings.new
        owners = 0
        Files.write_words(directory, 'fields.bin') { |append| owners = names.each(append, @globals) }
        Files.write(directory, 'groups.json') { |file| file.write(Files.json(names.groups)) }
        Files.write_words(directory, 'strings.bin') { |append| strings.each(append) }
        excerpts = strings.excerpts.map { |hash, text| [hash & 0xFFFF_FFFF_FFFF_FFFF, text] }
        Files.write(directory, 'excerpts.json') { |file| file.write(Files.json(excerpts)) }
        Files.write_words(directory, 'before.bin') do |append|
          append.call([Fiddle.dlwrap(@before)])
          @before.each { |object| append.call([Fiddle.dlwrap(object)]) }
        end
        Files.write(directory, 'classes.json') { |file| file.write(Files.json(Classes.all)) }
        { fields: 'fields.bin', classes: 'classes.json', groups: 'groups.json', strings: 'strings.bin', excerpts: 'excerpts.json',
          before: 'before.bin', count: owners }
      end

      def dump(directory, values)
        start = now
        Files.write(directory, OBJECTS) { |file| ObjectSpace.dump_all(output: file) }
        bytes = File.size(File.join(directory, OBJECTS))
        { file: OBJECTS, bytes: bytes, string_limit: 0xFFFF_FFFF, numeric_values: values, seconds: now - start }
      end

      def totals
        stat = GC.stat
        {
          # What is hidden from the program is in it, as in the dump.
          heap_used: ObjectSpace.count_objects_size[:TOTAL] - Sites.bytes,
          heap_total: stat[:heap_allocated_pages] * HEAP_PAGE,
          external: 0,
          rss: memory('VmRSS') || 0,
          gc: stat.select { |_, value| value.is_a?(Integer) }
        }
      end

      def identity(settings, reason, trigger)
        {
          pid: Process.pid, ppid: Process.ppid, argv: settings.argv, exec_path: executable,
          cwd: attempt('the working directory has gone') { Dir.pwd }, uptime_seconds: 0, reason: reason,
          trigger: trigger, time: Time.now.utc.strftime('%Y-%m-%dT%H:%M:%S.%LZ')
        }
      end

      def runtime
        { name: 'ruby', version: RUBY_VERSION, engine: RUBY_DESCRIPTION, arch: RUBY_PLATFORM,
          word_bytes: [0].pack('J').bytesize }
      end

      def executable
        File.readlink('/proc/self/exe')
      rescue SystemCallError
        nil
      end

      # A line of the process's status, in bytes; nil where the system does not tell.
      def memory(name)
        line = File.foreach('/proc/self/status').find { |status| status.start_with?("#{name}:") }
        line && line[/\d+/].to_i * 1024
      rescue SystemCallError
        nil
      end

      # The process's pages, in bytes; empty where the system does not tell.
      def sums_of_pages
        lines = File.foreach('/proc/self/smaps_rollup').filter_map { |line| line.match(/\A(\w+):\s+(\d+) kB$/) }
        lines.to_h { |line| [line[1].downcase, line[2].to_i * 1024] }
      rescue SystemCallError
        {}
      end

      def attempt(what)
        yield
      rescue StandardError => error
        Deadweight.fail(what, error)
        nil
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
